// The demonstration course in an empty folder, and visitors who keep note of
// everything that goes wrong on their pages: what the tests of the site share.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { chromium } from "../../viewer/node_modules/playwright-core/index.mjs";

export const root = new URL("../..", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const judge = process.env.LUDUS_JUDGE ?? join(target, "debug/ludus-judge");
export const ludus = process.env.LUDUS ?? join(target, "debug/ludus");

/** Everything that the course keeps. */
export const folder = mkdtempSync(join(tmpdir(), "ludus-judge-"));
export let address;
export const accounts = {};
/** What went wrong on any page. */
export const troubles = [];
let server;
let browser;

before(async () => {
	// What the compilers prepare is kept between runs, as on a judge that has been up for a while.
	const cache = join(target, "tmp/players-cache");
	mkdirSync(cache, { recursive: true });
	symlinkSync(cache, join(folder, "cache"));
	server = spawn(judge, ["serve", "--as-root", "--demo", "--data", folder, "--listen", "127.0.0.1:0"], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, LUDUS_AS_ROOT: "yes" },
	});
	await new Promise((ready, failed) => {
		server.once("exit", (code) => failed(new Error(`ludus-judge ended with ${code}`)));
		createInterface({ input: server.stdout }).on("line", (line) => {
			const at = line.match(/^Ludus is at (\S+)/);
			if (at) address = at[1];
			const who = line.match(/(\S+@\S+)\s+password\s+(\S+)/);
			if (who) accounts[who[1].split("@")[0]] = { email: who[1], password: who[2] };
			if (line.includes("Ctrl-C")) ready();
		});
	});
	browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
});

after(async () => {
	await browser?.close();
	server?.kill("SIGKILL");
	rmSync(folder, { recursive: true, force: true });
	assert.deepEqual(troubles, []);
});

/** A page of somebody, or of a stranger. */
export async function visit(name, options = {}) {
	const context = await browser.newContext({ locale: "en", ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(240_000);
	page.on("console", (message) => message.type() === "error" && troubles.push(`${page.url()}: ${message.text()}`));
	page.on("pageerror", (error) => troubles.push(`${page.url()}: ${error}`));
	await page.goto(address);
	if (name) {
		await page.click(".who a.button");
		await page.fill("#email", accounts[name].email);
		await page.fill("#password", accounts[name].password);
		await page.click("main button");
		await page.waitForSelector(".who form");
	}
	return page;
}

/** A folder for pictures of the pages, for people who want to look at them. */
const pictures = process.env.PICTURES;

export async function picture(page, name, fullPage = false) {
	if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}

/** Hands in an example under a name, and gives the address of its verdict. */
export async function submitExample(page, season, example, name) {
	await page.goto(`${address}/seasons/${season}/submit?start=${example}&name=${name}`);
	return judged(page);
}

/** A source that does not compile. */
export const BROKEN = `#include "Player.hh"
#define PLAYER_NAME Broken
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }
  void play() { int x = undefined_name; }
};
RegisterPlayer(PLAYER_NAME);
`;

/** Hands in a source, and gives the address of its verdict. */
export async function submitText(page, season, text) {
	await page.goto(`${address}/seasons/${season}/submit`);
	await page.locator("#text").evaluate((source, text) => { source.value = text; }, text);
	return judged(page);
}

async function judged(page) {
	await page.click("main form[method=post] button");
	await page.waitForSelector(".verdict.good, .verdict.bad");
	return new URL(page.url()).pathname;
}

/** Lets the player that the form proposes train, and gives the address of its matches. */
export async function trainFour(page, season) {
	await page.goto(`${address}/seasons/${season}/train`);
	await page.fill("#count", "4");
	await page.click("main form[method=post] button");
	await page.waitForSelector("[data-over] >> text=/4 (of|de) 4/");
	return new URL(page.url()).pathname;
}

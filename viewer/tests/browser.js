// What the tests share: matches, `ludus view`, and pages that keep note of
// everything that goes wrong in them.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const root = new URL("../..", import.meta.url).pathname;
const ludus = process.env.LUDUS ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/ludus");

/** A folder that goes away with the tests. */
export const folder = mkdtempSync(join(tmpdir(), "ludus-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const FLAGS = [
	"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
];

export function launch() {
	return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** Runs `ludus`, and gives what it says. */
export function run(...args) {
	return execFileSync(ludus, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The games that there are, by id. */
export const GAMES = run("list").split("\n\n")[0].split("\n").slice(1).map((line) => line.split(" ")[0]).filter(Boolean);

/** A match, as a record (`.res`) and as a replay (`.ludus`). */
export function match(game) {
	const [record, replay] = ["res", "ludus"].map((ending) => join(folder, `${game}.${ending}`));
	if (!existsSync(record)) {
		run("play", game, "Demo", "Veteran", "Demo", "Veteran", "--seed", "30", "--output", record, "--replay", replay);
	}
	return { record, replay };
}

/** Starts `ludus view`; `stop` ends it. */
export async function view(...args) {
	const child = spawn(ludus, ["view", ...args, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout });
	const address = await new Promise((found, failed) => {
		lines.once("line", found);
		child.once("exit", (code) => failed(new Error(`ludus view ended with ${code}`)));
	});
	const ended = new Promise((done) => child.once("exit", done));
	return {
		address,
		stop: async () => {
			child.kill("SIGINT");
			await ended;
		},
	};
}

/**
 * A page in a browser of its own making. Whatever goes wrong in it, from an
 * exception to a breach of the policy, is kept in `problems`.
 */
export async function openPage(browser, address, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
	const page = await context.newPage();
	const problems = [];
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("requestfailed", (request) => {
		const why = request.failure()?.errorText;
		// A page that is left gives up what it was still loading.
		if (why !== "net::ERR_ABORTED") problems.push(`failed: ${request.url()}: ${why}`);
	});
	await page.addInitScript(() => {
		addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
	});
	await page.goto(address);
	return { page, problems, close: () => context.close() };
}

/** Waits until a match is shown. */
export async function ready(page) {
	await page.waitForSelector("body[data-state=ready]");
	await page.waitForFunction(() => window.ludus.firstFrame > 0);
}

/** The round that the page shows. */
export function roundOf(page) {
	return page.evaluate(() => window.ludus.round);
}

/** Waits for the next picture to be drawn. */
export function drawn(page) {
	return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function seek(page, round) {
	await page.evaluate((wanted) => window.ludus.seek(wanted), round);
	await drawn(page);
}

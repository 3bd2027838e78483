// An instructor's way from an empty folder to two hundred invited students, with a
// real mail server on loopback; and one student's way in.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "../../viewer/node_modules/playwright-core/index.mjs";

import { wrongWith } from "./looks.js";

const root = new URL("../..", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const judge = process.env.LUDUS_JUDGE ?? join(target, "debug/ludus-judge");
const folder = mkdtempSync(join(tmpdir(), "ludus-invite-"));
const letters = join(folder, "letters");
const pictures = process.env.PICTURES;
const troubles = [];
let mail;
let server;
let browser;
let address;
let setUp;

/** The first line of a program that fits, with what it is looked for. */
function line(program, pattern) {
	return new Promise((found, failed) => {
		program.once("exit", (code) => failed(new Error(`${program.spawnfile} ended with ${code}`)));
		createInterface({ input: program.stdout }).on("line", (text) => {
			const match = text.match(pattern);
			if (match) found(match[1]);
		});
	});
}

/** Starts the judge at an address, as an instructor would. */
async function start(listen, more) {
	const data = join(folder, "data");
	const args = ["serve", "--as-root", "--data", data, "--listen", listen, "--time-zone", "Europe/Madrid", "--workers", "1", ...more];
	server = spawn(judge, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, LUDUS_AS_ROOT: "yes" } });
	setUp = await line(server, /^\s+(http\S+\/link\/\S+)/);
}

before(async () => {
	mkdirSync(letters);
	mkdirSync(join(folder, "data"));
	const cache = join(target, "tmp/players-cache");
	mkdirSync(cache, { recursive: true });
	symlinkSync(cache, join(folder, "data/cache"));
	const python = process.env.PYTHON ?? "/usr/bin/python3";
	mail = spawn(python, [join(root, "tests/smtp/server.py"), letters, "ludus", "geheim"], { stdio: ["pipe", "pipe", "ignore"] });
	const port = await line(mail, /^(\d+)$/);
	// Links in letters begin with the address of the site, which has to be known before it starts.
	const listen = `127.0.0.1:${20_000 + (process.pid % 20_000)}`;
	address = `http://${listen}`;
	const password = join(folder, "password");
	writeFileSync(password, "geheim\n");
	await start(listen, ["--public-url", address, "--smtp", `smtp://ludus@127.0.0.1:${port}?tls=none`, "--smtp-password-file", password,
		"--mail-from", "course@example.edu", "--smtp-rate", "6000"]);
	browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
});

after(async () => {
	await browser?.close();
	server?.kill("SIGKILL");
	mail?.kill("SIGKILL");
	rmSync(folder, { recursive: true, force: true });
	assert.deepEqual(troubles, []);
});

async function open(options) {
	const context = await browser.newContext({ locale: "en", viewport: { width: 1366, height: 768 }, ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(120_000);
	// A form that was filled in wrong is answered with 422, which the console tells.
	const isTrouble = (message) => message.type() === "error" && !message.text().includes("status of 422");
	page.on("console", (message) => isTrouble(message) && troubles.push(`${page.url()}: ${message.text()}`));
	page.on("pageerror", (error) => troubles.push(`${page.url()}: ${error}`));
	return page;
}

async function picture(page, name) {
	if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Says whether everybody can use a page as it is now. */
async function check(page, name) {
	assert.deepEqual(await wrongWith(page, name), []);
}

/**
 * What a person does, and how long it takes by the keystroke-level model of Card, Moran
 * and Newell: pressing a key 0.2 s (55 words a minute), pointing 1.1 s, a click 0.2 s, a hand on its way between
 * mouse and keyboard 0.4 s, and 1.35 s of thought before each of them.
 */
class Person {
	clicks = 0;
	keys = 0;
	fields = 0;
	pages = 0;

	/** @param {import("playwright-core").Page} page */
	constructor(page) {
		this.page = page;
		// Whoever comes to a page reads it first.
		page.on("framenavigated", () => { this.pages += 1; });
	}

	async click(selector) {
		this.clicks += 1;
		await this.page.click(selector);
	}

	/** A field is reached with Tab, or with the mouse, which takes longer and is counted. */
	async fill(selector, text) {
		this.type(text);
		await this.page.fill(selector, text);
	}

	type(text) {
		this.fields += 1;
		this.keys += text.length + 1;
	}

	async choose(selector, option) {
		this.clicks += 2;
		await this.page.selectOption(selector, option);
	}

	/** A file is found in a window of the system: opened, chosen, confirmed. */
	async give(selector, file) {
		this.clicks += 3;
		await this.page.setInputFiles(selector, file);
	}

	seconds() {
		const [key, point, press, hand, thought, reading] = [0.2, 1.1, 0.2, 0.4, 1.35, 3 * 1.35];
		return this.keys * key + this.fields * (thought + 2 * hand + point + press) + this.clicks * (thought + point + press) + this.pages * reading;
	}
}

/** What is typed into a terminal before: a folder and the program with a mail server. */
const COMMANDS = [
	"mkdir course && cd course && cat > password",
	"ludus-judge serve --data . --public-url https://ludus.example.edu --smtp smtp://ludus@mail.example.edu --smtp-password-file password --mail-from course@example.edu",
];

/** The letters that the server has, with soft line ends undone. */
function received() {
	const files = readdirSync(letters).filter((name) => name.endsWith(".eml")).sort();
	return files.map((name) => readFileSync(join(letters, name), "utf8").replaceAll("=\r\n", "").replaceAll("=3D", "="));
}

test("from an empty folder to two hundred invited students", async (t) => {
	const page = await open();
	const laia = new Person(page);
	for (const command of COMMANDS) laia.type(command);
	// The first instructor types a password that is too short; nothing else is typed twice.
	await page.goto(setUp);
	await check(page, "set-up");
	await picture(page, "set-up");
	await laia.fill("#name", "Laia Puig");
	await laia.fill("#email", "laia@example.edu");
	for (const password of ["short", "correct horse battery"]) {
		await laia.fill("#password", password);
		await laia.fill("#again", password);
		await laia.click("main button");
		// What is wrong has the focus, and is in sight.
		if (password === "short") await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true", null, { timeout: 10_000 });
	}
	await page.waitForSelector("text=Welcome!");
	// The list of seasons offers the next step, and its form needs a title only.
	await laia.click(".empty a:has-text('New season')");
	await laia.fill("#title", "Autumn");
	await laia.choose("#game", { index: 1 });
	assert.match(await page.inputValue("#deadline"), /T23:59$/);
	assert.ok(Number(await page.inputValue("#cpu")) > 0);
	await check(page, "season form");
	await picture(page, "season-form-laptop");
	await laia.click("main form.card button");
	await page.waitForSelector("text=The season is made.");
	await picture(page, "season-made-laptop");
	// The roster as Excel saves it in Catalonia: semicolons and Windows-1252.
	await laia.click("a:has-text('Import a roster')");
	const rows = Array.from({ length: 200 }, (_, k) => `Estudiant Núm ${k};e${k}@example.edu;Grup ${(k % 4) + 1}`);
	const file = (lines) => Buffer.from(`Nom;Correu;Grup\r\n${lines.join("\r\n")}\r\n`, "latin1");
	const wrong = [...rows.slice(0, 3), "Sense Correu;;Grup 1", ...rows.slice(3)];
	await laia.give("#file", { name: "llista.csv", mimeType: "text/csv", buffer: file(wrong) });
	await laia.click("main form.card button");
	assert.match(await page.locator(".problems").innerText(), /Line 5:/);
	await check(page, "roster with a bad line");
	await picture(page, "roster-wrong-laptop");
	await laia.give("#file", { name: "llista.csv", mimeType: "text/csv", buffer: file(rows) });
	await laia.click("main form.card button");
	await page.waitForSelector("h1:has-text('People imported: 200')");
	await check(page, "imported");
	await picture(page, "roster-imported-laptop");
	await laia.click("button:has-text('Send the invitations')");
	await page.waitForSelector("text=Done. People: 200.");
	const { clicks, keys, pages } = laia;
	t.diagnostic(`${clicks} clicks, ${keys} keys and ${pages} pages: ${laia.seconds().toFixed(0)} s of a person's time`);
	assert.ok(clicks >= 10 && keys > 250, "everything was counted");
	// With a password and a roster that were wrong at first.
	assert.ok(laia.seconds() < 180, `${laia.seconds()} s`);
	do await page.goto(`${address}/people?role=student&state=sent`);
	while ((await page.locator("h1 .count").innerText()) !== "200");
	await picture(page, "people-laptop");
	const all = received();
	assert.equal(all.length, 200);
	assert.equal(new Set(all.map((letter) => letter.match(/X-Recipients: (\S+)/)[1])).size, 200);
	assert.match(all[0], /Subject: Ludus: your account/);
	await page.context().close();
});

test("a student comes in by the letter, on a phone, and another by the link of the group", async () => {
	const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
	const link = received().find((letter) => letter.includes("X-Recipients: e7@")).match(/http\S+\/link\/[0-9a-f]{64}/)[0];
	const student = await open(phone);
	await student.goto(link);
	await check(student, "/link");
	await student.fill("#password", "another horse battery");
	await student.fill("#again", "another horse battery");
	await student.click("main button");
	await student.waitForSelector("text=Welcome!");
	const laia = await open();
	await laia.goto(`${address}/sign-in`);
	await laia.fill("#email", "laia@example.edu");
	await laia.fill("#password", "correct horse battery");
	await laia.click("main button");
	await laia.waitForSelector(".who form");
	await laia.goto(`${address}/people/groups`);
	await laia.locator("tr", { hasText: "Grup 3" }).locator("button:has-text('Make a link')").click();
	const group = await laia.inputValue("#link");
	await picture(laia, "groups-laptop");
	const other = await open(phone);
	await other.goto(group);
	await check(other, "/join");
	await picture(other, "join-phone");
	await other.fill("#email", "e10@example.edu");
	await other.click("main button");
	await other.waitForSelector("text=is on its way");
	while (received().length < 201) await other.waitForTimeout(100);
	assert.match(received()[200], /X-Recipients: e10@example.edu/);
	for (const page of [student, laia, other]) await page.context().close();
});

test("pages of people fit a phone", async () => {
	const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" });
	await page.goto(`${address}/sign-in`);
	await page.fill("#email", "laia@example.edu");
	await page.fill("#password", "correct horse battery");
	await page.click("main button");
	await page.waitForSelector(".who form");
	for (const path of ["/people", "/people/groups", "/people/letter", "/people/import", "/people/2", "/workshop", "/seasons/new", "/seasons/archive", "/forgotten"]) {
		await page.goto(address + path);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth);
		await picture(page, `phone${path.replaceAll("/", "-")}`);
		assert.ok(wide <= 390, `${path} is ${wide} wide`);
	}
	await page.context().close();
});

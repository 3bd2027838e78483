// Every page of the site, for a stranger, a student and an instructor: what
// `looks.js` asks of a page. Pages are found by their links; that none is left out is
// held against the table of who gets what (`crates/judge/tests/site/matrix.rs`).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { address, BROKEN, root, submitExample, submitText, trainFour, troubles, visit } from "./course.js";
import { misfitsOn, wrongWith } from "./looks.js";

/** What each of the three gets of each route, by the columns of the table. */
const table = readFileSync(`${root}/crates/judge/tests/site/matrix.rs`, "utf8").split('const GET: &str = "')[1].split('";')[0];
const rows = [...table.matchAll(/^(\/\S*) (\/\S*) ([-+sfgr]{7})$/gm)].map(([, route, , gets]) => ({ route, gets }));
const COLUMNS = { stranger: 0, pau: 5, instructor: 6 };

/** Files, parts of pages, and calls for programs. */
const isPage = (path) => !/\.(ludus|txt|json|round|pub|atom|csv|png|gz|html|key)$|\/(file|config|kit|starter|output|modules?|events|live|table)(\/|$)|^\/(sign-out|static|viewer|api\/v1|pictures|modules)|\/\{(file|seat)\}|^\/health/.test(path);

/** Pages that no link leads to: other tests look at them. */
const ELSEWHERE = { "/likeness/{id}": "likeness.test.js", "/finals/{slug}/present": "season.test.js" };

/** The route of an address: the one that names most of it. */
function routeOf(path) {
	const parts = (route) => route.split("/").map((part) => (part.startsWith("{") ? "[^/]+" : part.replace(/[.]/g, "\\."))).join("/");
	const fits = rows.filter(({ route }) => new RegExp(`^${parts(route)}$`).test(path)).map(({ route }) => route);
	return fits.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

/** What makes two addresses the same kind of page. */
const kind = (path) => (/^\/(submissions|training|matches)\/\d+$/.test(path) ? path : path.replace(/\d+/g, "#").replace(/^\/(seasons|finals|watch)\/(?!new$|archive$)[^/]+/, "/$1/*"));

/** Bytes of scripts of the page that has most. */
let heaviest = 0;

/** Addresses of pages with something on them that a new course has not. */
const started = [];

/** Lets people do what leaves something to look at. */
async function begin() {
	if (started.length) return;
	const pau = await visit("pau");
	const accepted = await submitExample(pau, "dominator", "AIReaper.cc", "Looked1");
	started.push(accepted, accepted.replace("submissions", "players"), await submitText(pau, "ants", BROKEN), await trainFour(pau, "dominator"));
	await pau.context().close();
	const instructor = await visit("instructor");
	await instructor.goto(`${address}/news/new`);
	await instructor.fill("#title-en", "The lab is open");
	await instructor.fill("#text-en", "On **Monday**, at noon.");
	await instructor.click("main form button");
	await instructor.waitForSelector("text=The lab is open");
	// What is played after the start is there to be seen.
	do await instructor.goto(`${address}/seasons/ants-cup/rounds`);
	while (!(await instructor.locator("a[href='/seasons/ants-cup/rounds/1']").count()));
	await instructor.context().close();
}

/**
 * Holds every page still: rounds and verifications go on while pages are looked at,
 * and nothing follows them. The viewer, which is in a frame, still gets its match.
 * @param {import("playwright-core").Page} page
 */
const hold = (page) => page.addInitScript(() => {
	if (window !== window.top) return;
	window.EventSource = class { addEventListener() {} close() {} };
	window.fetch = () => new Promise(() => {});
});

/** Where sources are written; a stranger is sent to sign in. */
const isSubmit = (page) => routeOf(new URL(page.url()).pathname) === "/seasons/{slug}/submit";

/** Bytes of the scripts of a page: its own with those of the viewer, and those of the editor. */
async function scripts(page) {
	if (isSubmit(page)) await page.waitForSelector(".editor .cm-content");
	const loaded = await Promise.all(page.frames().map((frame) => frame.evaluate(() => [
		...performance.getEntriesByType("resource").filter(({ name }) => /\.js(\?|$)/.test(name)).map(({ name, decodedBodySize }) => [name, decodedBodySize]),
		...[...document.scripts].filter(({ src, type }) => !src && /^$|module|javascript/.test(type)).map(({ text }) => ["", text.length]),
	])));
	const sum = (isEditor) => loaded.flat().filter(([name]) => name.includes("editor") === isEditor).reduce((total, [, bytes]) => total + bytes, 0);
	return { own: sum(false), editor: sum(true) };
}

/** What is wrong with a page, and where its links lead. */
async function look(page, path) {
	await page.goto(address + path, { waitUntil: "load" });
	if (await page.locator("[data-viewer]").count()) {
		await page.keyboard.press("Shift");
		await page.locator("iframe.featured.ready").waitFor();
	}
	if (await page.locator("iframe.viewer").count()) await page.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor();
	const { own, editor } = await scripts(page);
	const wrong = await wrongWith(page, path);
	if (own === 0 || own >= 200_000) wrong.push(`${path} has ${own} bytes of scripts`);
	if (editor >= 400_000 || editor > 0 !== isSubmit(page)) wrong.push(`${path} has ${editor} bytes of the editor`);
	heaviest = Math.max(heaviest, own);
	const links = await page.evaluate(() => [...document.querySelectorAll("main a[href], header a[href], footer a[href]")].map((link) => new URL(link.href)).filter((url) => url.origin === location.origin).map((url) => url.pathname + url.search));
	return [wrong, links];
}

for (const who of ["stranger", "pau", "instructor"]) {
	test(`pages of ${who} can be used by everybody`, async (t) => {
		await begin();
		const page = await visit(who === "stranger" ? undefined : who, { viewport: { width: 1366, height: 768 }, colorScheme: "light", reducedMotion: "reduce" });
		await hold(page);
		const waiting = ["/", "/sign-in", "/forgotten", "/nowhere", "/seasons/ants-cup/rounds/1", "/seasons/ants-cup/authors/1", "/seasons/dominator/submit", "/news/new", "/seasons/archive", "/api", ...(who === "stranger" ? [] : started)];
		if (process.env.ONLY) waiting.splice(0, Infinity, ...process.env.ONLY.split(","));
		const seen = new Set();
		const paths = [];
		const routes = new Set();
		const wrong = [];
		while (waiting.length) {
			const path = waiting.shift();
			// Of submissions and matches those are looked at that were made for it, and the first that a link leads to.
			const same = kind(path);
			if (seen.has(same) || (same === path && /\d$/.test(path) && !started.includes(path) && routes.has(routeOf(path)))) continue;
			seen.add(same);
			paths.push(path);
			routes.add(routeOf(path));
			const [found, links] = await look(page, path);
			wrong.push(...found);
			if (!process.env.ONLY) waiting.push(...links.filter((link) => isPage(link.split("?")[0]) && !link.includes("?")));
		}
		// Words are longer in other languages, and a phone has the least room for them.
		for (const language of ["Català", "Español"]) {
			await page.click(`footer >> text=${language}`);
			for (const path of paths) {
				await page.goto(address + path, { waitUntil: "load" });
				wrong.push(...(await misfitsOn(page, "phone", `${path} ${language}`)));
			}
		}
		troubles.splice(0, Infinity, ...troubles.filter((trouble) => !/status of 40[34]/.test(trouble)));
		t.diagnostic(`${seen.size} kinds of pages, with at most ${(heaviest / 1000).toFixed(0)} KB of scripts besides the editor`);
		assert.deepEqual(wrong, [], `${seen.size} kinds of pages`);
		const missed = process.env.ONLY ? [] : rows.filter(({ route, gets }) => gets[COLUMNS[who]] === "+" && isPage(route) && !ELSEWHERE[route] && !routes.has(route)).map(({ route }) => route);
		assert.deepEqual([...new Set(missed)], [], "every page of the table was looked at");
		await page.context().close();
	});
}

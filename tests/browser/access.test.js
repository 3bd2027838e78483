// Every page that links lead to, for a stranger, a student and an instructor, in
// both themes: axe-core finds nothing, what can be filled in has an edge, and nothing
// is wider than a phone or a laptop.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { address, root, troubles, visit } from "./course.js";

const AXE = readFileSync(`${root}/viewer/node_modules/axe-core/axe.min.js`, "utf8");

/** What makes two addresses the same kind of page. */
const kind = (path) => path.replace(/\d+/g, "#").replace(/^\/(seasons|finals|watch)\/(?!new$)[^/]+/, "/$1/*").replace(/\/starter\/.*/, "/starter/*");

/** Files, and pages that are sent somewhere else. */
const isPage = (path) => !/\.(ludus|txt|json|round|pub|atom|csv|png|gz|html)$|\/(file|config|kit|starter|output|modules?)(\/|$)|^\/(sign-out|static|viewer|api)/.test(path);

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

/** Waits until every frame is drawn in its theme: frames hear of it one after the other. @param {import("playwright-core").Page} page */
const settle = (page) => Promise.all(page.frames().map((frame) => frame.evaluate(async () => {
	for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
	await Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => {})));
})));

/** Violations of the page as it is now. @param {import("playwright-core").Page} page @param {string[] | undefined} rules */
async function violations(page, rules) {
	for (const frame of page.frames()) if (!(await frame.evaluate("typeof axe === 'object'"))) await frame.evaluate(AXE);
	const found = await page.evaluate((rules) => axe.run(document, rules ? { runOnly: { type: "rule", values: rules } } : {}), rules);
	return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.any[0]?.message ?? node.html}`));
}

/** Inputs whose edge can hardly be seen. */
function paleEdges() {
	const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const luminance = (colour) => {
		paint.clearRect(0, 0, 1, 1);
		paint.fillStyle = colour;
		paint.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (element) => {
		for (let at = element.parentElement; at; at = at.parentElement) {
			const colour = getComputedStyle(at).backgroundColor;
			if (!/, 0\)$|transparent/.test(colour)) return colour;
		}
		return "white";
	};
	const inputs = [...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio], [type=range]), select, textarea, .editor")];
	return inputs.filter((input) => input.checkVisibility()).flatMap((input) => {
		const [edge, ground] = [luminance(getComputedStyle(input).borderTopColor), luminance(behind(input))];
		const contrast = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05);
		return contrast < 3 ? [`${input.id || input.name || input.className}: ${contrast.toFixed(2)}`] : [];
	});
}

/** What is wrong with a page in either theme, and where its links lead. */
async function look(page, path) {
	const wrong = [];
	await page.goto(address + path, { waitUntil: "load" });
	if (await page.locator("[data-viewer]").count()) {
		await page.keyboard.press("Shift");
		await page.locator("iframe.featured.ready").waitFor();
	}
	if (await page.locator("iframe.viewer").count()) await page.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor();
	for (const theme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme: theme });
		await settle(page);
		const found = await violations(page, theme === "dark" ? ["color-contrast"] : undefined);
		const pale = (await Promise.all(page.frames().map((frame) => frame.evaluate(paleEdges)))).flat();
		wrong.push(...[...found, ...pale.map((edge) => `pale edge of ${edge}`)].map((what) => `${path} (${theme}) ${what}`));
	}
	for (const width of [390, 1366]) {
		await page.setViewportSize({ width, height: 768 });
		const wide = await page.evaluate(() => document.documentElement.scrollWidth);
		if (wide > width) wrong.push(`${path} is ${wide} wide where ${width} are seen`);
	}
	const links = await page.evaluate(() => [...document.querySelectorAll("main a[href], header a[href], footer a[href]")].map((link) => new URL(link.href)).filter((url) => url.origin === location.origin).map((url) => url.pathname + url.search));
	return [wrong, links];
}

for (const who of [undefined, "pau", "instructor"]) {
	test(`pages of ${who ?? "a stranger"} can be used by everybody`, async () => {
		const page = await visit(who, { viewport: { width: 1366, height: 768 }, colorScheme: "light", reducedMotion: "reduce" });
		await hold(page);
		// What is played after the start is there to be seen.
		do await page.goto(`${address}/seasons/ants-cup/rounds`);
		while (!(await page.locator("a[href='/seasons/ants-cup/rounds/1']").count()));
		const waiting = ["/", "/sign-in", "/nowhere", "/seasons/ants-cup/rounds/1", "/seasons/dominator/submit", "/news/new"];
		const seen = new Set();
		const wrong = [];
		while (waiting.length) {
			const path = waiting.shift();
			if (seen.has(kind(path))) continue;
			seen.add(kind(path));
			const [found, links] = await look(page, path);
			wrong.push(...found);
			waiting.push(...links.filter((link) => isPage(link.split("?")[0]) && !link.includes("?")));
		}
		troubles.splice(0, Infinity, ...troubles.filter((trouble) => !/status of 40[34]/.test(trouble)));
		assert.deepEqual(wrong, [], `${seen.size} kinds of pages`);
		assert.ok(seen.size >= (who === "instructor" ? 25 : who ? 15 : 8), `${[...seen].join(" ")}`);
		await page.context().close();
	});
}

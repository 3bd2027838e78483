// How much the viewer does, counted: the same on every machine, however busy.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, match, openPage, ready, seek, view } from "./browser.js";

let browser, server;
before(async () => {
	browser = await launch();
	server = await view(match("potter").replay);
});
after(async () => {
	await server.stop();
	await browser.close();
});

/** Counts what is called of the drawing surface, before anything is drawn. */
function countCalls() {
	const calls = { all: 0 };
	const surface = CanvasRenderingContext2D.prototype;
	for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(surface))) {
		if (typeof value !== "function" || name === "constructor") continue;
		surface[name] = function (...args) {
			calls.all++;
			return value.apply(this, args);
		};
	}
	Object.assign(window, { calls });
}

test("the first frame needs few files and few bytes", async (t) => {
	const { page, close } = await openPage(browser, "about:blank");
	const answers = [];
	page.on("requestfinished", (request) => answers.push(request));
	await page.goto(server.address);
	await ready(page);
	const sizes = await Promise.all(answers.map(async (request) => (await request.sizes()).responseBodySize));
	await close();
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	t.diagnostic(`first frame of potter after ${sizes.length} files, ${bytes} bytes`);
	assert.ok(sizes.length > 0 && sizes.length <= 6, String(sizes.length));
	assert.ok(bytes > 10_000 && bytes <= 600_000, String(bytes));
});

test("a frame of potter takes few calls", async (t) => {
	const { page, close } = await openPage(browser, "about:blank");
	await page.addInitScript(countCalls);
	await page.goto(server.address);
	await ready(page);
	const counts = [];
	for (const round of [1, 60, 120, 199]) {
		await seek(page, round);
		await page.evaluate(() => Object.assign(window.calls, { all: 0 }));
		await seek(page, round + 1);
		counts.push(await page.evaluate(() => window.calls.all));
	}
	await close();
	t.diagnostic(`calls for one more round of potter: ${counts.join(", ")}`);
	for (const count of counts) assert.ok(count > 10 && count <= 4_000, String(counts));
});

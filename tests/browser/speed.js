// What is promised of the page of a match, for a machine that does nothing else:
// `./test long` measures it. The first frame of the board, counted from the click that
// leads to the page, and the bytes of its own scripts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { address, visit } from "./course.js";

const TIMES = 7;

test("the first frame of a match shows within 600 ms, and its scripts are under 200 KB", async (t) => {
	const stranger = await visit();
	do await stranger.goto(address);
	while (!(await stranger.locator("a[href^='/watch/']").count()));
	const match = await stranger.locator("a[href^='/watch/'] >> nth=0").getAttribute("href");
	const times = [];
	let scripts = 0;
	while (times.length < TIMES) {
		// Somebody who has never been here.
		const page = await visit();
		await page.goto(address + match);
		const frame = await (await page.waitForSelector("iframe.viewer")).contentFrame();
		await frame.waitForFunction(() => window.ludus?.firstFrame > 0);
		times.push(Math.round(await frame.evaluate(() => performance.timeOrigin + window.ludus.firstFrame - window.top.performance.timeOrigin)));
		const bytes = (place) => place.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /\.js(\?|$)/.test(name)).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0));
		scripts = (await bytes(page)) + (await bytes(frame));
		await page.context().close();
	}
	t.diagnostic(`first frame of a match after ${times.join(", ")} ms; its scripts are ${(scripts / 1000).toFixed(0)} KB`);
	times.sort((a, b) => a - b);
	assert.ok(times[(TIMES - 1) / 2] < 600, `${times}`);
	assert.ok(scripts > 0 && scripts < 200_000, `${scripts}`);
});

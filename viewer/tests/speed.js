// The two figures that are promised in time, for a machine that does nothing
// else: `./test long` measures them. `work.test.js` holds what they depend on.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, match, openPage, ready, view } from "./browser.js";

let browser;
before(async () => {
	browser = await launch();
});
after(() => browser.close());

test("the first frame shows within 300 ms of navigation", async (t) => {
	const server = await view(match("potter").replay);
	const times = [];
	while (times.length < 5) {
		const { page, close } = await openPage(browser, server.address);
		await ready(page);
		times.push(Math.round(await page.evaluate(() => window.ludus.firstFrame)));
		await close();
	}
	await server.stop();
	t.diagnostic(`first frame of potter after ${times.join(", ")} ms`);
	assert.ok(times.sort((a, b) => a - b)[2] < 300, String(times));
});

test("a frame of potter takes under 4 ms of script", async (t) => {
	const server = await view(match("potter").replay);
	const { page, close } = await openPage(browser, server.address);
	await ready(page);
	const costs = [];
	for (const speed of ["1", "4", "16"]) {
		await page.selectOption("#speed", speed);
		await page.evaluate(() => window.ludus.seek(20));
		await page.evaluate(() => window.ludus.play());
		await page.evaluate(async () => {
			for (let k = 0; k < 120; k++) await new Promise((done) => requestAnimationFrame(done));
		});
		await page.evaluate(() => window.ludus.pause());
		costs.push(await page.evaluate(() => window.ludus.frameCost()));
	}
	await close();
	await server.stop();
	t.diagnostic(`median script time of a frame of potter at 1x, 4x, 16x: ${costs.map((cost) => cost.toFixed(2)).join(", ")} ms`);
	assert.ok(Math.max(...costs) < 4, String(costs));
});

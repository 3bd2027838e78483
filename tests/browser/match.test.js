// What stands beside the board of a match: what one's player wrote and why it died, at
// the round where it happened, and the CPU of every round, which leads to its round.

import assert from "node:assert/strict";
import { test } from "node:test";
import { address, picture, submitText, visit } from "./course.js";

/** Writes in every tenth round, works hard in one, and dies in another. */
const TALKER = `#include "Player.hh"
#define PLAYER_NAME Talker
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }
  void play() {
    if (round() % 10 == 0) cerr << "this is round " << round() << endl;
    volatile int work = 0;
    if (round() == 25) for (int k = 0; k < 2000000; ++k) work = work + k;
    if (round() == 42) cerr << 42 / (work - work) << endl;
  }
};
RegisterPlayer(PLAYER_NAME);
`;

test("what a player wrote follows the slider, and CPU leads to its round", async () => {
	const page = await visit("pau", { viewport: { width: 1366, height: 768 } });
	await submitText(page, "dominator", TALKER);
	assert.match(await page.locator(".verdict.bad").innerText(), /round 42.*integer divide by zero/s);
	await page.click(".verdict.bad a:has-text('Watch')");
	const viewer = page.frameLocator("iframe.viewer");
	await viewer.locator("#output:not([hidden])").waitFor();
	// The four are one's own, and one is shown at a time.
	assert.equal(await viewer.locator("#output-seat option").count(), 4);
	const rows = await viewer.locator("#output-list > li").evaluateAll((all) => all.map((row) => [row.querySelector(".when")?.textContent, row.className.replace(/ ?now$/, ""), row.querySelector("pre").textContent.split("\n")[0]]));
	assert.deepEqual(rows.slice(0, 5), [0, 10, 20, 30, 40].map((round) => [String(round), "", `this is round ${round}`]));
	assert.deepEqual(rows.slice(5).map(([round, kind]) => [round, kind]), [["42", ""], ["42", "fault"]], "how it ended stands at its round");
	assert.match(rows[5][2], /^died in round 42/);
	assert.match(rows[6][2], /integer divide by zero/);
	// The slider moves, and what was written in its round is marked and in sight.
	const now = () => viewer.locator("#output-list > li.now").evaluateAll((all) => all.map((row) => {
		const [place, view] = [row.getBoundingClientRect(), row.closest("#output-view").getBoundingClientRect()];
		return [row.querySelector(".when").textContent, place.top >= view.top - 1 && place.top < view.bottom];
	}));
	const at = async (round) => {
		await page.waitForFunction((round) => document.querySelector("iframe.viewer").contentWindow.ludus.round === round, round);
		// What is beside the board follows in the next frame.
		await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
	};
	for (const round of [20, 42, 10]) {
		await viewer.locator("#slider").fill(String(round));
		await at(round);
		const marked = await now();
		assert.deepEqual([...new Set(marked.map(([shown]) => shown))], [String(round)]);
		assert.ok(marked[0][1], `what was written in round ${round} is in sight`);
	}
	await viewer.locator("#slider").fill("11");
	await at(11);
	assert.deepEqual(await now(), []);
	// And what was written leads to its round.
	await viewer.locator("#output-list .fault .when").click();
	await at(42);
	await picture(page, "match-output");

	// Every chart has the same axis, whose top is what a round may take, and is flat but in one round.
	assert.match(await page.locator("h2:has-text('CPU by round') + p").innerText(), /full height is what a round may take/);
	const charts = await page.locator(".chart").evaluateAll((all) => all.map((chart) => ({
		axis: [...chart.querySelectorAll(".scale > span")].map((label) => label.textContent),
		rounds: Number(chart.querySelector(".scale svg").dataset.rounds),
		heights: [...chart.querySelector(".scale path[fill]").getAttribute("d").matchAll(/V([\d.]+)H\d+/g)].map(([, top]) => 100 - Number(top)),
		told: chart.querySelector(".scale svg").getAttribute("aria-label"),
	})));
	assert.equal(charts.length, 4);
	for (const { axis, rounds, heights, told } of charts) {
		assert.deepEqual(axis, ["100 %", "0"]);
		assert.match(told, /most in round 25: /);
		// A scale that followed the match would give its costliest round the full height.
		assert.ok(heights[25] > 2 && heights[25] < 60, `${heights[25]}`);
		assert.ok(heights.every((height, round) => round === 25 || height < heights[25] / 2));
		assert.ok(rounds >= 43 && heights.length === rounds);
	}
	const table = page.locator("table.cpu tbody tr");
	await page.click("text=Every round in numbers");
	const percent = Number((await table.nth(25).locator("td >> nth=0").innerText()).replace(" %", ""));
	const hint = await page.locator("h2:has-text('CPU by round') + p").innerText();
	const whole = Number(hint.match(/([\d.]+) %/)[1]);
	assert.ok(Math.abs(charts[0].heights[25] - (100 * percent) / whole) < 0.2, `${charts[0].heights[25]} of ${percent} in ${whole}`);
	// A bar leads to its round, with the viewer in sight.
	const bars = page.locator(".chart .scale svg >> nth=0");
	const place = await bars.boundingBox();
	await bars.click({ position: { x: (place.width * 25.5) / charts[0].rounds, y: place.height - 2 } });
	await at(25);
	assert.match(page.url(), /#r=25$/);
	assert.ok(await page.evaluate(() => document.querySelector("iframe.viewer").getBoundingClientRect().bottom > 200), "the board is in sight");
	await page.context().close();
});

test("somebody else reads nothing of what a player wrote", async () => {
	const pau = await visit("pau");
	await pau.goto(`${address}/submissions`);
	await pau.click("main a:has-text('Talker')");
	await pau.click(".verdict.bad a:has-text('Watch')");
	await pau.waitForSelector("iframe.viewer");
	const path = new URL(pau.url()).pathname;
	const instructor = await visit("instructor");
	await instructor.goto(address + path);
	await instructor.frameLocator("iframe.viewer").locator("#output:not([hidden])").waitFor();
	const marta = await visit("marta");
	for (const file of ["", "/output.json", "/output/0"]) assert.equal((await marta.request.get(address + path + file)).status(), 404, file);
	for (const page of [pau, instructor, marta]) await page.context().close();
});

test("what is clicked on the board is told of in sight, on a laptop and on a phone", async () => {
	for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
		const page = await visit("marta", { viewport, hasTouch: viewport.width < 700 });
		do await page.goto(`${address}/matches?season=ants&purpose=demonstration`);
		while (!(await page.locator("main li a").count()));
		await page.click("main li a >> nth=0");
		const viewer = page.frameLocator("iframe.viewer");
		await viewer.locator("#cards li >> nth=3").waitFor({ state: "attached" });
		const place = await page.evaluate(() => {
			const frame = document.querySelector("iframe.viewer");
			const { left, top } = frame.getBoundingClientRect();
			const { x, y } = frame.contentWindow.ludus.place(312);
			return { x: left + x, y: top + y };
		});
		await (viewport.width < 700 ? page.touchscreen.tap(place.x, place.y) : page.mouse.click(place.x, place.y));
		await viewer.locator("#details > *").first().waitFor();
		const { title, controls, scrolled } = await page.evaluate(() => {
			const inside = document.querySelector("iframe.viewer").contentWindow.document;
			const edges = (id) => inside.getElementById(id).getBoundingClientRect();
			return { title: edges("inspected").toJSON(), controls: edges("controls").toJSON(), scrolled: scrollY };
		});
		assert.ok(title.height > 0 && title.top >= 0 && title.bottom <= controls.top, JSON.stringify([title, controls]));
		assert.equal(scrolled, 0, "the page stays where it is");
		await page.context().close();
	}
});

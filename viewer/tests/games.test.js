// Every game: a match loads, plays, seeks, animates, is inspected, fits a
// phone, changes its language, and looks as it did.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Frames } from "../frames.js";
import { readScene } from "../scene.js";
import { drawn, GAMES, launch, match, openPage, ready, roundOf, seek, view } from "./browser.js";
import { boardOf, difference } from "./picture.js";

/** A round of The Purge in which it is night. */
const NIGHT = 130;

let browser;
before(async () => {
	browser = await launch();
});
after(() => browser.close());

/** A cell with one unit of a player and nothing else, and that unit. */
function loneUnit(frames, round) {
	const items = [...frames.frame(round).items.values()];
	const unit = items.find((item) => item.seat >= 0 && items.filter((other) => other.cell === item.cell).length === 1);
	assert.ok(unit, "there is a unit with a cell of its own");
	return unit;
}

/** How many different pictures are drawn while a match plays slowly, and how many rounds that takes. */
function watchPlaying(page) {
	return page.evaluate(async () => {
		const board = document.getElementById("board");
		const copy = Object.assign(document.createElement("canvas"), { width: board.width, height: board.height });
		const ctx = copy.getContext("2d", { willReadFrequently: true });
		const pictures = new Set();
		const first = window.ludus.round;
		window.ludus.play();
		for (let k = 0; k < 40 && window.ludus.round < first + 3; k++) {
			await new Promise((done) => requestAnimationFrame(done));
			ctx.clearRect(0, 0, copy.width, copy.height);
			ctx.drawImage(board, 0, 0);
			const { data } = ctx.getImageData(0, 0, copy.width, copy.height);
			let sum = 0;
			for (let at = 0; at < data.length; at += 4) sum = (sum * 31 + data[at] + 7 * data[at + 1] + 13 * data[at + 2]) | 0;
			pictures.add(sum);
		}
		window.ludus.pause();
		return { pictures: pictures.size, rounds: window.ludus.round - first };
	});
}

/** Checks the board against a picture kept for it, or keeps it with UPDATE=1. */
async function checkPicture(page, name) {
	const file = new URL(`references/${name}.png`, import.meta.url);
	const found = await boardOf(page);
	if (process.env.UPDATE) writeFileSync(file, Buffer.from(found.split(",")[1], "base64"));
	assert.ok(existsSync(file), `${name} has a picture to compare with`);
	const kept = `data:image/png;base64,${readFileSync(file).toString("base64")}`;
	const blank = await browser.newPage();
	const apart = await difference(blank, kept, found);
	await blank.close();
	assert.ok(apart < 0.02, `${(100 * apart).toFixed(1)} % of the board of ${name} looks different`);
}

for (const game of GAMES) {
	test(`${game} can be watched`, async (t) => {
		const server = await view(match(game).replay);
		const { page, problems, close } = await openPage(browser, server.address);
		const scene = readScene(await (await fetch(`${server.address}scene.json`)).text());
		const frames = new Frames(scene);
		t.after(async () => {
			await close();
			await server.stop();
		});

		await t.test("loads", async () => {
			await ready(page);
			assert.equal(await page.textContent("#title"), scene.title);
			assert.equal(await roundOf(page), 0);
			assert.deepEqual(await page.locator(".player-name").allTextContents(), scene.names);
			assert.equal(frames.last, scene.rounds);
		});

		await t.test("plays to the end", async () => {
			await page.selectOption("#speed", "32");
			await page.click("#play");
			await page.waitForFunction((last) => window.ludus.round === last, frames.last);
			const scores = await page.locator(".player-score").allTextContents();
			assert.deepEqual(scores.map((score) => Number(score.replaceAll(",", ""))), frames.frame(frames.last).scores);
			await page.selectOption("#speed", "1");
		});

		await t.test("seeks", async () => {
			for (const round of [120, 7, frames.last, 40]) {
				await seek(page, round);
				assert.equal(await page.inputValue("#slider"), String(round));
				assert.equal(await page.inputValue("#round"), String(round));
			}
			const chart = await page.locator("#chart").boundingBox();
			await page.mouse.click(chart.x + chart.width - 1, chart.y + 20);
			assert.equal(await roundOf(page), frames.last);
		});

		await t.test("looks as it did", async () => {
			await seek(page, 100);
			await checkPicture(page, game);
			if (game !== "purge") return;
			await seek(page, NIGHT);
			assert.equal(await page.textContent("#mood"), "night");
			await checkPicture(page, "purge-night");
		});

		await t.test("moves between rounds only when animated", async () => {
			await page.selectOption("#speed", "0.25");
			await seek(page, 60);
			const moving = await watchPlaying(page);
			assert.ok(moving.pictures > moving.rounds + 2, JSON.stringify(moving));
			await page.click("#animation");
			await seek(page, 60);
			const still = await watchPlaying(page);
			assert.ok(still.pictures <= still.rounds + 1, JSON.stringify(still));
			await page.click("#animation");
			await page.selectOption("#speed", "1");
		});

		await t.test("shows what a unit is and does", async () => {
			await seek(page, 30);
			const unit = loneUnit(frames, 30);
			const place = await page.evaluate((cell) => window.ludus.place(cell), unit.cell);
			await page.mouse.click(place.x, place.y);
			await drawn(page);
			assert.equal(await page.textContent("#inspected"), `${scene.kinds[unit.kind].name.en} ${unit.id}`);
			const details = await page.textContent("#details");
			assert.ok(details.includes(scene.names[unit.seat]), details);
			assert.ok(details.includes("Last order"), details);
			assert.equal(details.includes("Life"), unit.life >= 0);
			await page.mouse.click(place.x, place.y);
			await drawn(page);
			assert.ok((await page.textContent("#details")).includes(scene.cells[frames.frame(30).cells[unit.cell]].name.en));
			// Whoever is gone later is still called by name.
			await page.mouse.click(place.x, place.y);
			await drawn(page);
			const name = await page.textContent("#inspected");
			const gone = scene.frames.findIndex((_, round) => round > 30 && !frames.frame(round).items.has(unit.id));
			if (gone > 0) {
				await seek(page, gone);
				assert.equal(await page.textContent("#inspected"), name);
				assert.equal(await page.textContent("#details"), "not on the board in this round");
			}
			await page.keyboard.press("Escape");
		});

		await t.test("lists what happens", async () => {
			await page.click("#filter input[value=all]");
			await seek(page, 0);
			const first = scene.frames.findIndex((frame) => frame.e?.length > 0);
			await page.locator(".happening").first().click();
			assert.equal(await roundOf(page), first);
			assert.ok((await page.locator(".happening").first().textContent()).length > 5);
			assert.ok(!(await page.textContent("#log-list")).includes("{"));
		});

		await t.test("fits a phone", async () => {
			await page.setViewportSize({ width: 390, height: 844 });
			await drawn(page);
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
			const board = await page.locator("#board").boundingBox();
			assert.ok(board.width === 390 && board.height >= 190 && board.y < 80, JSON.stringify(board));
			for (const id of ["start", "back10", "back", "play", "forward", "forward10", "end"]) {
				const box = await page.locator(`footer [data-do=${id}]`).boundingBox();
				assert.ok(box.width >= 36 && box.height >= 40 && box.y > 700 && box.y + box.height <= 844, id);
			}
			await page.setViewportSize({ width: 1280, height: 800 });
		});

		await t.test("speaks three languages, and remembers which", async () => {
			await page.click("[data-do=options]");
			for (const [code, word] of [["ca", "Ronda"], ["es", "Clasificación"]]) {
				await page.selectOption("#language", code);
				assert.equal(await page.getAttribute("html", "lang"), code);
				assert.ok((await page.locator("body").innerText()).includes(word), word);
				const [card, filter] = await Promise.all(["#log", "#filter"].map((one) => page.locator(one).boundingBox()));
				assert.ok(filter.x + filter.width < card.x + card.width - 10, `the filter of events fits its card in ${code}`);
			}
			await page.reload();
			await ready(page);
			assert.equal(await page.getAttribute("html", "lang"), "es");
			await page.click("[data-do=legend]");
			assert.equal(await page.textContent("#legend-game"), scene.help.es);
			await page.keyboard.press("Escape");
		});

		assert.deepEqual(problems, []);
	});
}

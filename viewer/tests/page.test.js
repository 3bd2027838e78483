// The page around the board: files, keyboard, fingers, colours, links, and
// everything that may go wrong.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { safeColours } from "../palette.js";
import { violationsInBothThemes } from "./axe.js";
import { drawn, folder, launch, match, openPage, ready, roundOf, run, seek, view } from "./browser.js";

let browser;
let file;
let server;
before(async () => {
	browser = await launch();
	file = match("ants").record;
	server = await view(file);
});
after(async () => {
	await browser.close();
	await server.stop();
});

/** Runs a test on a page, on which nothing may go wrong. */
function check(name, options, body) {
	test(name, async () => {
		const { page, problems, close } = await openPage(browser, options.address ?? server.address, options);
		try {
			await body(page);
			assert.deepEqual(problems, []);
		} finally {
			await close();
		}
	});
}

/** Drops a file on the page. */
async function drop(page, path) {
	const content = readFileSync(path).toString("latin1");
	const transfer = await page.evaluateHandle(([name, letters]) => {
		const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))], name));
		return data;
	}, [basename(path), content]);
	await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
	assert.ok(await page.isVisible("#dropping"));
	await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
	assert.ok(!(await page.isVisible("#dropping")));
}

check("every control can be reached, has a name and shows its focus", {}, async (page) => {
	await ready(page);
	const reached = [];
	for (let k = 0; k < 60; k++) {
		await page.keyboard.press("Tab");
		const found = await page.evaluate(() => {
			const element = document.activeElement;
			if (!element || element === document.body) return null;
			const shown = element.matches(".choice input") ? element.nextElementSibling : element;
			return {
				name: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
				outline: getComputedStyle(shown).outlineStyle,
				labels: element.labels?.length ?? 0,
			};
		});
		if (!found) break;
		assert.ok(found.name !== "" || found.labels > 0, JSON.stringify(found));
		assert.notEqual(found.outline, "none", JSON.stringify(found));
		reached.push(found.name);
	}
	assert.ok(reached.length < 30, `Tab passes ${reached.length} things`);
	for (const name of ["Open a match", "Help", "View options", "Play", "To the start", "To the end", "Animation", "Round", "Speed"]) {
		assert.ok(reached.includes(name), `${name} among ${reached}`);
	}
});

check("the keys of old viewers do what they did", {}, async (page) => {
	await ready(page);
	for (const [key, round] of [
		["PageDown", 10], ["ArrowRight", 11], ["ArrowDown", 12], ["ArrowLeft", 11], ["ArrowUp", 10], ["PageDown", 20],
		["PageUp", 10], ["End", 250], ["ArrowRight", 250], ["Home", 0], ["ArrowLeft", 0],
	]) {
		await page.keyboard.press(key);
		assert.equal(await roundOf(page), round, key);
	}
	await page.keyboard.press("Space");
	await page.waitForFunction(() => window.ludus.round >= 2);
	assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
	await page.keyboard.press("Space");
	await drawn(page);
	assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
	await page.keyboard.press("h");
	assert.ok(await page.isVisible("#help"));
	assert.ok((await page.textContent("#help-keys")).includes("Ten rounds back"));
	await page.keyboard.press("Escape");
	assert.ok(!(await page.isVisible("#help")));
	await page.keyboard.press("+");
	await page.waitForFunction(() => document.querySelector("#speed").value === "2");
});

check("a match can be studied without a mouse", {}, async (page) => {
	await ready(page);
	// The round is told first, whenever that is, and what is looked at after it.
	await page.waitForFunction(() => document.getElementById("live").textContent !== "");
	await page.keyboard.press("]");
	await drawn(page);
	assert.ok(await page.isVisible("#inspector"));
	const first = await page.textContent("#inspected");
	assert.ok((await page.textContent("#live")).startsWith(first));
	await page.keyboard.press("]");
	await drawn(page);
	assert.notEqual(await page.textContent("#inspected"), first);
	await page.keyboard.press("Shift+ArrowDown");
	await drawn(page);
	assert.match(await page.textContent("#inspected"), /^Row, column \d+, \d+$/);
	await page.keyboard.press("Escape");
	await drawn(page);
	assert.ok(!(await page.isVisible("#inspector")));
	await page.focus("#log-view");
	for (let k = 0; k < 30; k++) await page.keyboard.press("ArrowDown");
	const when = await page.evaluate(() => document.activeElement.querySelector(".when").textContent);
	await page.keyboard.press("Enter");
	assert.equal(await roundOf(page), Number(when));
	assert.ok(Number(when) > 0);
});

check("the round is told when it rests, not at every frame", {}, async (page) => {
	await ready(page);
	await page.evaluate(() => {
		window.told = [];
		new MutationObserver(() => window.told.push(document.getElementById("live").textContent)).observe(
			document.getElementById("live"),
			{ childList: true },
		);
	});
	await page.selectOption("#speed", "8");
	await page.click("#play");
	await page.waitForFunction(() => window.ludus.round > 60);
	await page.click("#play");
	// The first round may be told after the page is ready.
	await page.waitForFunction(() => /^Round [1-9]/.test(window.told.at(-1) ?? ""));
	const told = await page.evaluate(() => window.told);
	assert.ok(told.length <= 4, JSON.stringify(told));
	assert.match(told.at(-1), /^Round \d+ of 250\. .+ leads with \d/);
});

check("the address names the round", {}, async (page) => {
	await ready(page);
	await seek(page, 120);
	await page.waitForFunction(() => location.hash === "#r=120");
	assert.equal(await page.evaluate(() => history.length), 2);
	await page.goto(`${server.address}#r=77`);
	await page.waitForFunction(() => window.ludus.round === 77);
	await page.reload();
	await ready(page);
	assert.equal(await roundOf(page), 77);
	assert.equal(await page.inputValue("#slider"), "77");
});

check("wheel, drag and keys move and enlarge the board", {}, async (page) => {
	await ready(page);
	const span = async () => {
		const [a, b] = await page.evaluate(() => [window.ludus.place(0), window.ludus.place(1)]);
		return { size: b.x - a.x, x: a.x, y: a.y };
	};
	const fitted = await span();
	await page.mouse.move(640, 400);
	await page.mouse.wheel(0, -300);
	await drawn(page);
	const large = await span();
	assert.ok(large.size > fitted.size);
	await page.mouse.down();
	await page.mouse.move(700, 430, { steps: 4 });
	await page.mouse.up();
	await drawn(page);
	const moved = await span();
	assert.ok(Math.abs(moved.x - large.x - 60) <= 2 && Math.abs(moved.y - large.y - 30) <= 2, JSON.stringify([large, moved]));
	assert.ok(!(await page.isVisible("#inspector")), "a drag is no tap");
	await page.keyboard.press("0");
	await drawn(page);
	assert.deepEqual(await span(), fitted);
	await page.keyboard.press("z");
	await drawn(page);
	assert.ok((await span()).size > fitted.size);
});

check("fingers pinch, pan and tap", { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 }, async (page) => {
	await ready(page);
	assert.equal(await page.evaluate(() => document.getElementById("board").width), 780, "every pixel of the screen is drawn");
	const size = () => page.evaluate(() => window.ludus.place(1).x - window.ludus.place(0).x);
	const session = await page.context().newCDPSession(page);
	const touch = (type, ...points) =>
		session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
	const before = await size();
	await touch("touchStart", [180, 250], [210, 250]);
	await touch("touchMove", [140, 250], [250, 250]);
	await touch("touchMove", [100, 250], [290, 250]);
	await touch("touchEnd");
	await drawn(page);
	assert.ok((await size()) > 2 * before);
	await page.keyboard.press("0");
	await drawn(page);
	const place = await page.evaluate(() => window.ludus.place(30));
	await page.touchscreen.tap(place.x, place.y);
	await drawn(page);
	assert.ok((await page.locator("#inspector").count()) === 1 && (await page.textContent("#details")) !== "");
	await page.evaluate(() => document.getElementById("match").scrollTo(0, 1e6));
	const other = await page.evaluate(() => window.ludus.place(100));
	await page.touchscreen.tap(other.x, other.y);
	await drawn(page);
	const edges = await page.evaluate(() => ["inspected", "stage", "inspector", "controls"].map((id) => document.getElementById(id).getBoundingClientRect()));
	const [title, stage, card, controls] = edges;
	assert.ok(title.top >= stage.bottom && card.bottom <= controls.top, JSON.stringify(edges));
});

check("on a phone all cards begin and end at the same place", { viewport: { width: 390, height: 844 } }, async (page) => {
	await ready(page);
	await page.keyboard.press("]");
	await drawn(page);
	const edges = (selector) =>
		page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => `${left} ${right}`));
	assert.deepEqual([...new Set(await edges("#cards, .card:not([hidden])"))], ["8 382"]);
	assert.deepEqual([...new Set(await edges(".player-head, .values, .card:not([hidden]) h2, #chart"))], ["23 367"]);
	assert.equal(await page.evaluate(() => document.getElementById("match").scrollWidth), 390);
});

/** The first thing without an id of its own that a match brings: its kind, its cell and the round. */
function firstThing(scene) {
	for (const [round, { i: words = [] }] of scene.frames.entries()) {
		for (let at = 0; at < words.length; ) {
			const [id, mask, kind, cell] = words.slice(at, at + 4);
			if (id < -1) return { round, kind, cell };
			at += 2 + mask.toString(2).replaceAll("0", "").length;
		}
	}
	throw new Error("no thing in the whole match");
}

check("things that are no units can be inspected too", {}, async (page) => {
	await ready(page);
	const scene = await page.evaluate(async () => (await fetch("scene.json")).json());
	const { round, kind, cell } = firstThing(scene);
	await seek(page, round);
	const place = await page.evaluate((at) => window.ludus.place(at), cell);
	await page.mouse.click(place.x, place.y);
	await drawn(page);
	assert.equal(await page.textContent("#inspected"), scene.kinds[kind].name.en);
	assert.match(await page.textContent("#details"), /nobody/);
	assert.doesNotMatch(await page.textContent("#hud"), / -\d/);
});

check("colours and theme follow the options", {}, async (page) => {
	await ready(page);
	const swatch = () => page.locator("#cards .swatch").nth(0).evaluate((element) => getComputedStyle(element).backgroundColor);
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await background();
	await page.click("[data-do=options]");
	await page.click("#options input[value=yes]");
	const [safe] = safeColours(["#008000", "#ff0000", "#ffba00", "#bf00ff"]);
	const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(safe.slice(at, at + 2), 16));
	assert.equal(await swatch(), `rgb(${red}, ${green}, ${blue})`);
	await page.click("#options input[value=dark]");
	assert.notEqual(await background(), light);
	await page.keyboard.press("Escape");
	assert.ok(!(await page.isVisible("#options")));
	await page.reload();
	await ready(page);
	assert.notEqual(await background(), light);
});

check("the end of a match says who has won", {}, async (page) => {
	await ready(page);
	assert.ok(!(await page.isVisible("#outcome")));
	await page.keyboard.press("End");
	await drawn(page);
	const winner = await page.locator("#ranking .name").nth(0).textContent();
	const points = await page.locator("#ranking .points").nth(0).textContent();
	assert.equal(await page.textContent("#winners"), `${winner} wins with ${points}`);
	await page.click("[data-do=dismissOutcome]");
	assert.ok(!(await page.isVisible("#outcome")));
	// Whoever goes back and comes to the end again is told again.
	await seek(page, (await roundOf(page)) - 1);
	await page.keyboard.press("End");
	await page.waitForSelector("#outcome", { state: "visible" });
});

check("the legend shows every thing of the board", {}, async (page) => {
	await ready(page);
	await page.keyboard.press("l");
	for (const name of ["queen", "soldier", "worker", "bread", "seed", "leaf", "soil", "water", "carries bread"]) {
		assert.equal(await page.locator("#legend dd", { hasText: new RegExp(`^${name}$`) }).count(), 1, name);
	}
	const drawn = await page.locator("#legend canvas").evaluateAll((all) =>
		all.map((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0)));
	assert.ok(drawn.length >= 9 && drawn.every(Boolean));
	await page.click("#legend .primary");
	assert.ok(!(await page.isVisible("#legend")));
});

check("keys steer the match after a round was typed", {}, async (page) => {
	await ready(page);
	await page.click("#round");
	await page.keyboard.type("42");
	await page.keyboard.press("Enter");
	assert.equal(await roundOf(page), 42);
	await page.keyboard.press("ArrowRight");
	await page.waitForFunction(() => window.ludus.round === 43);
	await page.click("#round");
	await page.keyboard.press("Space");
	await page.waitForFunction(() => window.ludus.round > 44);
	await page.keyboard.press("Space");
	assert.equal(await page.evaluate(() => scrollY), 0);
});

check("everybody can use what opens over the match", { reducedMotion: "reduce" }, async (page) => {
	await ready(page);
	const opened = {
		inspector: () => page.keyboard.press("]"),
		options: () => page.click("[data-do=options]"),
		legend: () => page.keyboard.press("l"),
		help: () => page.keyboard.press("h"),
		outcome: () => page.keyboard.press("End"),
	};
	const wrong = [];
	for (const [id, open] of Object.entries(opened)) {
		await open();
		await page.waitForSelector(`#${id}`, { state: "visible" });
		wrong.push(...(await violationsInBothThemes(page, id)));
		await page.keyboard.press("Escape");
	}
	assert.deepEqual(wrong, []);
});

/** How light the board is, from 0 to 255. */
const brightness = (page) => page.evaluate(() => {
	const board = document.getElementById("board");
	const copy = Object.assign(document.createElement("canvas"), { width: board.width, height: board.height });
	const ctx = copy.getContext("2d");
	ctx.drawImage(board, 0, 0);
	const { data } = ctx.getImageData(0, 0, copy.width, copy.height);
	let [sum, count] = [0, 0];
	for (let at = 0; at < data.length; at += 4) {
		if (data[at + 3] < 128) continue;
		sum += data[at] + data[at + 1] + data[at + 2];
		count += 3;
	}
	return sum / count;
});

check("the board is no lamp in the dark theme", {}, async (page) => {
	await ready(page);
	await seek(page, 100);
	const light = await brightness(page);
	await page.emulateMedia({ colorScheme: "dark" });
	await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(15, 18, 24)");
	await drawn(page);
	const dark = await brightness(page);
	assert.ok(dark < 0.85 * light && dark > 0.3 * light, `${dark} in the dark, ${light} in the light`);
});

check("what is under the pointer is told beside the board, and cards keep their size", {}, async (page) => {
	await ready(page);
	const boxes = (selector) => page.locator(selector).evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
	const place = await page.evaluate(() => window.ludus.place(30));
	await page.mouse.move(place.x, place.y);
	await page.waitForSelector("#hud.on");
	const [hud, board] = await Promise.all(["#hud", "#board"].map((selector) => page.locator(selector).boundingBox()));
	assert.ok(hud.y >= board.y + board.height && hud.height > 0, JSON.stringify([hud, board]));
	const cards = await boxes("#cards > li");
	for (const round of [100, 250]) {
		await seek(page, round);
		assert.deepEqual(await boxes("#cards > li"), cards, `round ${round}`);
	}
});

check("a dark system gets a dark page", { colorScheme: "dark" }, async (page) => {
	await ready(page);
	assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(15, 18, 24)");
});

check("who wants less motion gets none", { reducedMotion: "reduce" }, async (page) => {
	await ready(page);
	assert.equal(await page.getAttribute("#animation", "aria-pressed"), "false");
});

check("the language of the browser is spoken", { locale: "ca-ES" }, async (page) => {
	await ready(page);
	assert.equal(await page.getAttribute("html", "lang"), "ca");
	assert.equal(await page.getAttribute("#play", "aria-label"), "Reprodueix");
});

check("full screen", {}, async (page) => {
	await ready(page);
	await page.keyboard.press("f");
	await page.waitForFunction(() => document.fullscreenElement !== null);
	await page.keyboard.press("f");
	await page.waitForFunction(() => document.fullscreenElement === null);
});

check("a match can be closed, and another dropped or chosen", {}, async (page) => {
	await ready(page);
	await page.click("#close");
	assert.ok(await page.isVisible("#welcome"));
	await drop(page, match("potter").replay);
	await ready(page);
	assert.equal(await page.textContent("#title"), "Harry Potter");
	await page.setInputFiles("#file", file);
	await page.waitForFunction(() => document.getElementById("title").textContent === "Ants");
});

test("a viewer without a match invites to open one", async () => {
	const empty = await view();
	const { page, problems, close } = await openPage(browser, empty.address);
	await page.waitForSelector("#welcome", { state: "visible" });
	await drop(page, file);
	await ready(page);
	assert.deepEqual(problems, []);
	await close();
	await empty.stop();
});

check("a file that is no match leaves the match open", {}, async (page) => {
	await ready(page);
	const rubbish = join(folder, "rubbish.res");
	writeFileSync(rubbish, "<b>hello</b> ".repeat(1000));
	// The browser reports the refusal of the server; nothing else may go wrong.
	page.removeAllListeners("console");
	await drop(page, rubbish);
	await page.waitForSelector("#notice", { state: "visible" });
	assert.ok((await page.textContent("#notice-text")).startsWith("This match cannot be shown: "));
	assert.equal(await page.locator("#notice b").count(), 0);
	assert.equal(await page.textContent("#title"), "Ants");
	await page.click("[data-do=dismiss]");
	assert.ok(!(await page.isVisible("#notice")));
});

/** The first part of a file, in a file of its own. */
function cut(path, share) {
	const whole = readFileSync(path);
	const part = join(folder, `cut-${basename(path)}`);
	writeFileSync(part, whole.subarray(0, Math.floor(whole.length * share)));
	return part;
}

for (const kind of ["record", "replay"]) {
	test(`what is readable of a damaged ${kind} plays`, async () => {
		const half = await view(cut(match("ants")[kind], 0.6));
		const { page, problems, close } = await openPage(browser, half.address);
		await ready(page);
		const notice = await page.textContent("#notice-text");
		assert.match(notice, /^This file is damaged: \d+ of 250 rounds can be shown \(.+\)$/);
		const last = Number(/: (\d+) of/.exec(notice)[1]);
		assert.ok(last > 50 && last < 220, notice);
		await page.keyboard.press("End");
		assert.equal(await roundOf(page), last);
		assert.deepEqual(problems, []);
		await close();
		await half.stop();
	});
}

test("a match of a judge shows the CPU of its players", async () => {
	const judged = join(folder, "judged.res");
	const text = readFileSync(file, "utf8").replace(/^Game/, "SecGame").replaceAll(/^status\s.*$/gm, "status 0.25 0.999 -1 0");
	writeFileSync(judged, text);
	const server = await view(judged);
	const { page, problems, close } = await openPage(browser, server.address);
	await ready(page);
	await seek(page, 10);
	assert.deepEqual(await page.locator(".player-cpu").allTextContents(), ["CPU 25%", "CPU 99%", "frozen", "CPU 0%"]);
	assert.ok((await page.textContent("#subtitle")).includes("judge"));
	assert.deepEqual(problems, []);
	await close();
	await server.stop();
});

/** Names that would do harm as markup. A name in a record is one word. */
const HOSTILE = ["<img/src=x/onerror=hacked=1>", "</script><script>hacked=1</script>", "&lt;b&gt;", "\"'><svg/onload=hacked=1>"];

function hostileRecord() {
	const hostile = join(folder, "hostile.res");
	const text = readFileSync(file, "utf8").replace(/^names .*$/m, `names ${HOSTILE.join(" ")}`);
	writeFileSync(hostile, text);
	return hostile;
}

async function checkHostile(page) {
	await ready(page);
	assert.deepEqual(await page.locator(".player-name").allTextContents(), HOSTILE);
	await page.click("#filter input[value=all]");
	await seek(page, 100);
	await page.keyboard.press("]");
	await drawn(page);
	assert.equal(await page.locator("img").count(), 0);
	assert.equal(await page.evaluate(() => window.hacked), undefined);
}

test("names are text, never markup", async () => {
	const hostile = await view(hostileRecord());
	const { page, problems, close } = await openPage(browser, hostile.address);
	await checkHostile(page);
	assert.deepEqual(problems, []);
	await close();
	await hostile.stop();
});

for (const [name, source] of [
	["a page from disk plays, whatever the names", hostileRecord],
	["a large match fits in a page too", () => match("potter").replay],
]) {
	test(name, async () => {
		const html = join(folder, "match.html");
		run("view", source(), "--html", html);
		const { page, problems, close } = await openPage(browser, pathToFileURL(html).href);
		await ready(page);
		if (source === hostileRecord) await checkHostile(page);
		await page.keyboard.press("Home");
		await page.keyboard.press("Space");
		await page.waitForFunction(() => window.ludus.round >= 2);
		await page.keyboard.press("Space");
		assert.ok(!(await page.isVisible("#open")) && !(await page.isVisible("#close")));
		await page.keyboard.press("o");
		assert.ok((await page.textContent("#notice-text")).includes("ludus view FILE"));
		await page.keyboard.press("h");
		await page.click("#help .primary");
		assert.ok(!(await page.isVisible("#help")));
		assert.deepEqual(problems, []);
		await close();
	});
}

test("other hosts and other paths get nothing", async () => {
	const { origin, port } = new URL(server.address);
	assert.equal((await fetch(`${origin}/`)).status, 404);
	assert.equal((await fetch(`${origin}/scene.json`)).status, 404);
	const { page, close } = await openPage(browser, "about:blank");
	const answer = await page.goto(server.address.replace("127.0.0.1", "127.0.0.1.nip.invalid")).catch(() => null);
	assert.equal(answer, null, `port ${port}`);
	await close();
});

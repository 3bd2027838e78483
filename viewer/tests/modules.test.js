// The modules that need no browser, on a small match made by hand.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Camera } from "../camera.js";
import { niceStep } from "../chart.js";
import { happeningsOf, scoresOf } from "../chronicle.js";
import { Clock } from "../clock.js";
import { drawShapes, shapesByRound } from "../drawn.js";
import { ABSENT, Frames } from "../frames.js";
import { placeItems } from "../motion.js";
import { apart, contrast, hueOf, looks, Palette, safeColours } from "../palette.js";
import { rankingOf } from "../players.js";
import { readScene } from "../scene.js";

/** A unit goes right along a row of 40 cells, a second one comes and goes. */
function scene(rounds = 39) {
	const words = (name) => ({ en: name, ca: name, es: name });
	const frames = [{ board: [20, 0, 60, 1], i: [7, 4095, 0, 0, 1, 2, 1000, 0, -1, -1, -1, 5, ABSENT, -3], p: [[1], [2], [3], [4]], s: [0, 0, 0, 0], u: [0, 0, 0, 0], m: 0 }];
	for (let round = 1; round <= rounds; round++) {
		const frame = { i: [7, 0b10, round] };
		if (round % 5 === 0) frame.c = [40 + round, 0];
		if (round === 10) frame.i.push(9, 4095, 1, 50, 2, -1, -1, 3, 0, 4, 1, 1, 2, 3);
		if (round === 20) frame.g = [9];
		if (round === 10 || round === 20) frame.e = [0, 2, -1, 9, 50, round];
		if (round === 12) frame.i = [7, 0b100000000010, round, 8];
		if (round % 2 === 0) frame.s = [round, 2 * round, 0, 0];
		frames.push(frame);
	}
	return {
		scene: 1, game: "walk", title: "Walk", rows: 2, cols: 40, rounds, seed: 1, judged: false, names: ["a", "b", "c", "d"], cpu: false,
		damage: null, ticks: 4, seats: ["#0b2fae", "#f59a2f", "#7d0f14", "#74b3f7"].map((colour) => ({ colour, pale: colour })), drawings: [], cells: [], badges: [], overlays: [],
		kinds: [words("walker"), words("guest")].map((name) => ({ name, drawing: 0, turns: true, layer: 1 })),
		facts: ["one", "two", "three"].map((name) => ({ name: words(name) })), verbs: [], panel: [], moods: [], help: words("help"),
		events: [{ name: words("{item}"), mark: true, effect: "none" }], frames,
	};
}

/** What can be compared of a frame. */
function plain(frame) {
	return { ...frame, cells: [...frame.cells], items: [...frame.items.values()].sort((a, b) => a.id - b.id) };
}

test("frames hold what their changes say", () => {
	const frames = new Frames(scene());
	const first = frames.frame(0);
	assert.deepEqual([...first.cells.subarray(18, 22)], [0, 0, 1, 1]);
	assert.deepEqual(first.items.get(7), {
		id: 7, kind: 0, cell: 0, seat: 1, heading: 2, life: 1000, badges: 0, verb: -1, direction: -1, outcome: -1, facts: [5, ABSENT, -3],
	});
	assert.equal(frames.frame(12).items.get(7)?.cell, 12);
	assert.deepEqual(frames.frame(12).items.get(7)?.facts, [5, ABSENT, 8]);
	assert.deepEqual(frames.frame(9).items.has(9), false);
	assert.deepEqual(frames.frame(15).items.get(9)?.badges, 3);
	assert.deepEqual(frames.frame(20).items.has(9), false);
	assert.equal(frames.frame(15).cells[45], 0);
	assert.deepEqual(frames.frame(13).scores, [12, 24, 0, 0]);
	assert.deepEqual(frames.frame(11).events, []);
});

test("a round looks the same however it is reached", () => {
	const rounds = 400;
	const long = scene(rounds);
	const expected = [];
	const straight = new Frames(long);
	for (let round = 0; round <= rounds; round++) expected.push(plain(straight.frame(round)));
	const frames = new Frames(long);
	for (let k = 0, round = 17; k < 300; k++, round = (round * 7 + 131) % (rounds + 1)) {
		assert.deepEqual(plain(frames.frame(round)), expected[round], `round ${round}`);
	}
	assert.equal(frames.frame(9999).round, rounds);
	assert.equal(frames.frame(-3).round, 0);
	assert.ok(frames.recent.size <= 64 && frames.keyframes.length === 26);
});

test("the chronicle knows what items were", () => {
	assert.deepEqual(happeningsOf(scene()).map(({ round, item, itemKind, value }) => [round, item, itemKind, value]), [
		[10, 9, 1, 10], [20, 9, 1, 20],
	]);
	assert.deepEqual(scoresOf(scene())[5], [4, 8, 0, 0]);
});

test("scenes that cannot be shown say why", () => {
	for (const [json, message] of [
		["[]", /no scene/], ["{}", /no scene/], ['{"scene":2}', /version 1, not 2/], ['{"scene":1}', /no names/], ["nonsense", /JSON/],
		[JSON.stringify({ ...scene(), frames: [] }), /no frames/], [JSON.stringify({ ...scene(), rows: 0 }), /no board/],
	]) {
		assert.throws(() => readScene(json), message);
	}
	assert.equal(readScene(JSON.stringify(scene())).title, "Walk");
	const names = ["\u202eevil", "a\u0007b", "\u2067\u200f", "Añil 蟻"];
	const read = readScene(JSON.stringify({ ...scene(), names }));
	assert.deepEqual(read.names, ["\ufffdevil", "a\ufffdb", "\ufffd\ufffd", "Añil 蟻"]);
});

test("neighbours are joined by movement, others by fading", () => {
	const frames = new Frames(scene());
	const places = (round, share) => placeItems(frames.frame(round), frames.frame(round + 1), share, 40);
	assert.equal(places(3, 0)[0].column, 3);
	assert.equal(places(3, 0.5)[0].column, 3.5);
	const coming = places(9, 0.5).find(({ item }) => item.id === 9);
	assert.ok(coming.alpha > 0 && coming.alpha < 1 && coming.column === 10 && coming.row === 1);
	const going = places(19, 0.9).find(({ item }) => item.id === 9);
	assert.ok(going.alpha < 0.2);
});

test("turns take the short way", () => {
	const item = { id: 1, kind: 0, cell: 0, seat: 0, heading: 7, life: -1, badges: 0, verb: -1, direction: -1, outcome: -1, facts: [] };
	const frame = (heading) => ({ items: new Map([[1, { ...item, heading }]]) });
	const [before] = placeItems(frame(7), frame(1), 0.25, 10);
	assert.ok(before.item.heading === 7 && before.turn > 0 && before.turn < 2);
	const [after] = placeItems(frame(7), frame(1), 0.9, 10);
	assert.ok(after.item.heading === 1 && Math.abs(after.turn) < 1e-9);
});

test("the clock plays, steps and stops at the end", () => {
	const clock = new Clock(20, 4, () => undefined);
	clock.play();
	clock.advance(0);
	clock.advance(250);
	assert.equal(clock.position, 1);
	clock.setSpeed(8);
	for (let now = 300; now < 3000; now += 50) clock.advance(now);
	assert.ok(!clock.playing && clock.round === 20);
	clock.step(-10);
	assert.equal(clock.round, 10);
	clock.step(1);
	assert.deepEqual([clock.round, clock.moment.round, clock.moment.share], [11, 10, 0]);
	clock.advance(5000);
	clock.advance(5100);
	assert.ok(clock.moment.share > 0.4 && clock.moving);
	clock.advance(5300);
	assert.ok(!clock.moving && clock.moment.round === 11);
	clock.seek(Number.NaN);
	assert.equal(clock.round, 0);
	clock.animated = false;
	clock.step(1);
	assert.deepEqual(clock.moment, { round: 1, share: 0 });
});

test("a camera keeps the point under the pointer", () => {
	const camera = new Camera(20, 40);
	camera.resize(810, 600);
	assert.equal(camera.size, 20);
	assert.equal(camera.cellAt(camera.left + 45, camera.top + 25), 42);
	assert.equal(camera.cellAt(camera.left - 1, camera.top), -1);
	const before = camera.cellAt(500, 350);
	camera.zoom(3, 500, 350);
	assert.equal(camera.size, 60);
	assert.equal(camera.cellAt(500, 350), before);
	camera.pan(1e6, 1e6);
	assert.ok(camera.left <= 60 && camera.top <= 60);
	camera.zoom(0.01, 0, 0);
	assert.ok(camera.fitted && camera.size === 20);
});

test("equal scores share a place", () => {
	assert.deepEqual(rankingOf([5, 9, 5, 1]).map(({ seat, place }) => [seat, place]), [[1, 1], [0, 2], [2, 2], [3, 4]]);
});

test("axes count in round numbers", () => {
	assert.deepEqual([0.3, 1, 3, 7, 12, 60, 875].map(niceStep), [1, 1, 5, 10, 20, 100, 1000]);
});

/** The colours of the seats of the five games. */
const SEATS = {
	ants: ["#008000", "#ff0000", "#ffba00", "#bf00ff"],
	potter: ["#b06020", "#008000", "#0050bb", "#8000a0"],
	purge: ["#008000", "#ff0000", "#0000ff", "#bf00ff"],
	dominator: ["#ff0000", "#008000", "#0033ff", "#8000a0"],
	requiem: ["#ff4500", "#0000ff", "#32cd32", "#ff00ff"],
};

test("the safe colours stay apart for every eye, and every player keeps its hue", () => {
	for (const [game, seats] of Object.entries(SEATS)) {
		const safe = safeColours(seats);
		const seen = safe.map(looks);
		for (let a = 0; a < 4; a++) {
			const turned = Math.abs(((hueOf(safe[a]) - hueOf(seats[a]) + 540) % 360) - 180);
			assert.ok(turned <= 16, `${game}: ${seats[a]} becomes ${safe[a]}, ${turned.toFixed(0)} degrees away`);
			for (let b = a + 1; b < 4; b++) {
				const distance = apart(seen[a], seen[b]);
				assert.ok(distance > 100, `${game}: ${safe[a]} and ${safe[b]} are ${distance.toFixed(0)} apart`);
			}
		}
	}
});

test("lines of players can be read on light and dark", () => {
	const palette = new Palette(["#008000", "#ff0000", "#ffba00", "#0000ff"].map((colour) => ({ colour, pale: colour })), false);
	for (const background of ["#ffffff", "#171b23"]) {
		for (const seat of [0, 1, 2, 3]) assert.ok(contrast(palette.readable(seat, background), background) >= 3);
	}
	assert.equal(palette.resolve("seat", 1), "#ff0000");
	assert.equal(palette.resolve("pale3", 0), "#0000ff");
	assert.equal(palette.resolve("#12345678", 0), "#12345678");
	assert.notEqual(palette.resolve("seat", -1), "");
});

test("every text is there in three languages", () => {
	const source = readFileSync(new URL("../texts.js", import.meta.url), "utf8");
	const table = source.slice(source.indexOf("const TEXTS"), source.indexOf("};", source.indexOf("const TEXTS")));
	const entries = [...table.matchAll(/^\t(\w+):((?:.|\n\t\t)*)/gm)];
	assert.ok(entries.length > 60);
	for (const [, key, value] of entries) {
		const parts = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, words]) => words).join("").split("|");
		assert.equal(parts.length, 3, key);
		for (const part of parts) assert.ok(part.trim() !== "", key);
		const holes = parts.map((part) => [...part.matchAll(/\{\w+\}/g)].map(String).sort().join());
		assert.ok(holes.every((hole) => hole === holes[0]), key);
	}
});

test("what players drew lies over the board of its round", () => {
	const drawn = [
		[3, 1, 1, -1, 1, 2, 0, 0, ""],
		[3, 0, 2, 0xff8000, 0, 0, 1, 4, ""],
		[3, 0, 3, 0xff, 0, 6, 0, 0, "he\u202ere\n"],
		[3, 0, 4, -1, 7, 0, 0, 0, "home"],
		[3, 0, 4, -1, 99, 0, 0, 0, "nobody"],
		[5, 0, 1, -1, 0, 0, 0, 0, ""],
	];
	const match = { ...scene(), drawn };
	const shapes = shapesByRound(match);
	assert.deepEqual([...shapes.keys()], [3, 5]);
	assert.equal(shapesByRound(scene()).size, 0);
	const calls = [];
	const ctx = new Proxy({}, {
		get: (target, name) => target[name] ?? ((...words) => calls.push([name, ctx.fillStyle, ...words])),
		set: (target, name, value) => ((target[name] = value), true),
	});
	const frame = new Frames(match).frame(3);
	const board = { ctx, camera: { left: 0, top: 0, size: 10 }, ratio: 1, palette: new Palette(match.seats, false) };
	drawShapes(board, shapes.get(3), placeItems(frame, frame, 0, match.cols));
	const told = (name) => calls.filter(([called]) => called === name).map(([, ...rest]) => rest);
	assert.deepEqual(told("fillRect"), [["#f59a2f", 20, 10, 10, 10]]);
	assert.deepEqual(told("lineTo"), [["#ff8000", 45, 15]]);
	assert.deepEqual(told("fillText"), [["#0000ff", "he\ufffdre\ufffd", 65, 5], ["#0b2fae", "home", 35, -2.5]]);
});

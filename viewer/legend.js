// The window that says what the things on the board are, drawn as the board draws them.

import { find, make } from "./dom.js";
import { canvasOf, context, Sprites } from "./sprites.js";
import { sceneText, text } from "./texts.js";

/** The side of a picture, in CSS pixels. */
const SIDE = 34;
/** The seat in whose colours things are drawn. */
const SEAT = 0;

/** @typedef {{name: string, paint: (ctx: Pen) => void}} Entry */

/** Shows the things of a match. @param {Scene} scene @param {Palette} palette */
export function fillLegend(scene, palette) {
	const ratio = devicePixelRatio || 1;
	const sprites = new Sprites(scene, palette, Math.round(SIDE * ratio * 0.82));
	const groups = [
		{ title: text("things"), entries: scene.kinds.map(({ name, drawing }) => entry(sprites, name, drawing)) },
		{ title: text("states"), entries: [...scene.badges, ...scene.overlays].map(({ name, drawing }) => entry(sprites, name, drawing)) },
		{ title: text("ground"), entries: groundEntries(scene, sprites) },
	];
	find("legend-groups").replaceChildren(...groups.flatMap(({ title, entries }) => group(title, entries, ratio)));
}

/** @param {Sprites} sprites @param {Words} name @param {number} drawing @returns {Entry} */
function entry(sprites, name, drawing) {
	return {
		name: sceneText(name),
		paint: (ctx) => {
			groundOf(sprites, 0)(ctx);
			const { picture } = sprites.get(drawing, SEAT);
			const fit = Math.min(1, ctx.canvas.width / picture.width);
			const [width, height] = [picture.width * fit, picture.height * fit];
			ctx.drawImage(picture, (ctx.canvas.width - width) / 2, (ctx.canvas.height - height) / 2, width, height);
		},
	};
}

/** One picture for each colour: a river has a kind of cell for every bend. @param {Scene} scene @param {Sprites} sprites @returns {Entry[]} */
function groundEntries(scene, sprites) {
	const seen = new Set();
	return scene.cells.flatMap(({ name, fill }, kind) => {
		const key = `${sceneText(name)} ${fill}`;
		if (seen.has(key)) return [];
		seen.add(key);
		return [{ name: sceneText(name), paint: groundOf(sprites, kind) }];
	});
}

/** @param {Sprites} sprites @param {number} kind */
function groundOf(sprites, kind) {
	return (/** @type {Pen} */ ctx) => {
		const { width, height } = ctx.canvas;
		ctx.fillStyle = sprites.colour(kind);
		ctx.fillRect(0, 0, width, height);
		const tile = sprites.tile(kind);
		if (tile) ctx.drawImage(tile, 0, 0, width, height);
	};
}

/** Things of one name stand side by side: a cell has a colour for each player. @param {string} title @param {Entry[]} entries @param {number} ratio */
function group(title, entries, ratio) {
	/** @type {Map<string, HTMLElement[]>} */
	const named = new Map();
	for (const { name, paint } of entries) {
		const canvas = canvasOf(Math.round(SIDE * ratio), Math.round(SIDE * ratio));
		paint(context(canvas));
		named.set(name, [...(named.get(name) ?? []), canvas]);
	}
	if (named.size === 0) return [];
	const rows = [...named].map(([name, pictures]) => make("div", "", make("dt", "", ...pictures), make("dd", "", name)));
	return [make("h3", "", title), make("dl", "legend", ...rows)];
}

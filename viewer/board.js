// Draws the board: ground, marks, items, effects, and what the user points at.

import { Camera } from "./camera.js";
import { drawShapes, shapesByRound } from "./drawn.js";
import { drawEffects, STILL } from "./effects.js";
import { Ground } from "./ground.js";
import { placeItems } from "./motion.js";
import { isDark } from "./settings.js";
import { context, Sprites } from "./sprites.js";

/** What lies over the ground in the dark theme, so that the board does not glare. */
const DUSK = "#0a0c1138";
/** Draw times kept for the median. */
const COSTS = 240;

export class Board {
	/** @param {HTMLCanvasElement} canvas @param {Scene} scene @param {Palette} palette @param {Settings} settings */
	constructor(canvas, scene, palette, settings) {
		this.settings = settings;
		this.canvas = canvas;
		this.ctx = context(canvas);
		this.scene = scene;
		this.palette = palette;
		this.camera = new Camera(scene.rows, scene.cols);
		this.ground = new Ground();
		this.shapes = shapesByRound(scene);
		this.sprites = new Sprites(scene, palette, 1);
		/** @type {number[]} */
		this.costs = [];
		this.ratio = 1;
		this.dark = isDark(settings);
	}

	/** @param {Palette} palette */
	recolour(palette) {
		this.palette = palette;
		this.dark = isDark(this.settings);
		this.sprites = new Sprites(this.scene, palette, this.camera.size);
	}

	/** @param {number} width @param {number} height in device pixels @param {number} ratio */
	resize(width, height, ratio) {
		this.ratio = ratio;
		if (this.canvas.width !== width) this.canvas.width = width;
		if (this.canvas.height !== height) this.canvas.height = height;
		this.camera.resize(width, height);
	}

	/**
	 * Draws the moment when `share` of the way from a frame to the next is gone.
	 * @param {Frame} frame
	 * @param {Frame} next
	 * @param {number} share
	 * @param {Look} look
	 */
	draw(frame, next, share, look) {
		const start = performance.now();
		const { ctx, camera } = this;
		if (this.sprites.size !== camera.size) this.sprites = new Sprites(this.scene, this.palette, camera.size);
		const placed = placeItems(frame, next, share, this.scene.cols);
		const chosen = placed.find((place) => place.item.id === look.chosen);
		if (chosen && look.follow) camera.centre(chosen.column + 0.5, chosen.row + 0.5);
		const nearer = share < 0.5 ? frame : next;
		const ground = this.ground.paint(nearer.cells, camera, this.sprites);
		ctx.clearRect(0, 0, camera.width, camera.height);
		ctx.drawImage(ground, 0, 0);
		if (this.dark) this.tint(DUSK, 1);
		this.tint(this.scene.moods[frame.mood]?.tint, 1 - share);
		if (share > 0) this.tint(this.scene.moods[next.mood]?.tint, share);
		this.drawOverlays(nearer.overlays);
		this.drawItems(placed);
		if (this.settings.drawn) drawShapes(this, this.shapes.get(nearer.round) ?? [], placed);
		if (this.settings.effects && share < 0.2) drawEffects(this, frame, STILL, 0.8 * (1 - share * 5));
		if (this.settings.effects && share > 0) drawEffects(this, next, share, 1);
		this.drawPointers(chosen, look);
		this.note(performance.now() - start);
	}

	/** @param {number} cost in milliseconds */
	note(cost) {
		if (this.costs.length >= COSTS) this.costs.shift();
		this.costs.push(cost);
	}

	/** The median time of drawing, in milliseconds. */
	get cost() {
		const sorted = this.costs.slice().sort((a, b) => a - b);
		return sorted[sorted.length >> 1] ?? 0;
	}

	/** @param {string | null | undefined} tint @param {number} share */
	tint(tint, share) {
		if (!tint) return;
		const { ctx, camera } = this;
		ctx.globalAlpha = share;
		ctx.fillStyle = tint;
		ctx.fillRect(camera.left, camera.top, camera.cols * camera.size, camera.rows * camera.size);
		ctx.globalAlpha = 1;
	}

	/** @param {number[]} overlays */
	drawOverlays(overlays) {
		const { camera } = this;
		for (let k = 0; k + 1 < overlays.length; k += 2) {
			const mark = this.scene.overlays[overlays[k]];
			const { x, y } = camera.cornerOf(overlays[k + 1]);
			if (mark) this.stamp(mark.drawing, -1, 0, x, y);
		}
	}

	/** @param {Placed[]} placed */
	drawItems(placed) {
		const { ctx, camera, scene } = this;
		/** @type {Placed[][]} */
		const layers = [];
		for (const place of placed) {
			if (place.alpha > 0) (layers[scene.kinds[place.item.kind]?.layer ?? 0] ??= []).push(place);
		}
		for (const layer of layers) {
			if (!layer) continue;
			for (const place of layer) this.drawItem(place);
			ctx.globalAlpha = 1;
		}
		if (!this.settings.life || camera.size < 6) return;
		for (const place of placed) {
			if (place.item.life >= 0 && place.item.life < 1000) this.drawLife(place);
		}
		ctx.globalAlpha = 1;
	}

	/** @param {Placed} place */
	drawItem({ item, column, row, alpha, turn }) {
		const kind = this.scene.kinds[item.kind];
		if (!kind) return;
		const { ctx, camera } = this;
		const x = Math.round(camera.left + column * camera.size);
		const y = Math.round(camera.top + row * camera.size);
		if (x > camera.width + camera.size || y > camera.height + camera.size || x < -2 * camera.size || y < -2 * camera.size) return;
		if (ctx.globalAlpha !== alpha) ctx.globalAlpha = alpha;
		const heading = kind.turns ? item.heading : 0;
		if (turn !== 0 && kind.turns) this.stampTurned(kind.drawing, item, turn, x, y);
		else this.stamp(kind.drawing, item.seat, heading, x, y);
		for (let bit = 0; item.badges >> bit; bit++) {
			const badge = item.badges & (1 << bit) ? this.scene.badges[bit] : undefined;
			if (badge) this.stamp(badge.drawing, item.seat, 0, x, y);
		}
	}

	/** @param {number} drawing @param {number} seat @param {number} heading @param {number} x @param {number} y */
	stamp(drawing, seat, heading, x, y) {
		const sprite = this.sprites.get(drawing, seat, heading);
		this.ctx.drawImage(sprite.picture, x + sprite.x, y + sprite.y);
	}

	/** @param {number} drawing @param {Item} item @param {number} turn @param {number} x @param {number} y */
	stampTurned(drawing, item, turn, x, y) {
		const { ctx } = this;
		const half = this.camera.size / 2;
		const sprite = this.sprites.get(drawing, item.seat, item.heading);
		ctx.save();
		ctx.translate(x + half, y + half);
		ctx.rotate((turn * Math.PI) / 4);
		ctx.drawImage(sprite.picture, sprite.x - half, sprite.y - half);
		ctx.restore();
	}

	/** @param {Placed} place */
	drawLife({ item, column, row, alpha }) {
		const { ctx, camera } = this;
		const width = Math.round(camera.size * 0.8);
		const height = Math.round(Math.min(Math.max(2, camera.size * 0.11), 5 * this.ratio));
		const x = Math.round(camera.left + column * camera.size + (camera.size - width) / 2);
		const y = Math.round(camera.top + (row + 1) * camera.size) - height - 1;
		const share = item.life / 1000;
		ctx.globalAlpha = alpha;
		const edge = camera.size < 18 ? 0 : 1;
		ctx.fillStyle = "rgba(16, 20, 30, 0.75)";
		ctx.fillRect(x - edge, y - edge, width + 2 * edge, height + 2 * edge);
		ctx.fillStyle = share > 0.5 ? "#7be08a" : share > 0.25 ? "#ffd24d" : "#ff7a66";
		ctx.fillRect(x, y, Math.max(1, Math.round(width * share)), height);
	}

	/** @param {Placed | undefined} chosen @param {Look} look */
	drawPointers(chosen, look) {
		const { ctx, camera } = this;
		if (look.hover >= 0) this.frameCell(look.hover, "#3a4152", 1);
		if (look.cell >= 0) this.frameCell(look.cell, "#1f6feb", 2);
		if (!chosen) return;
		const x = camera.left + (chosen.column + 0.5) * camera.size;
		const y = camera.top + (chosen.row + 0.5) * camera.size;
		ctx.beginPath();
		ctx.arc(x, y, Math.max(camera.size * 0.72, 9 * this.ratio), 0, 2 * Math.PI);
		this.outline("#1f6feb", 2.5);
	}

	/** @param {number} cell @param {string} colour @param {number} width */
	frameCell(cell, colour, width) {
		const { size } = this.camera;
		const { x, y } = this.camera.cornerOf(cell);
		this.ctx.beginPath();
		this.ctx.rect(x, y, size, size);
		this.outline(colour, width);
	}

	/** @param {string} colour @param {number} width */
	outline(colour, width) {
		const { ctx, ratio } = this;
		ctx.strokeStyle = "#ffffffe6";
		ctx.lineWidth = (width + 2) * ratio;
		ctx.stroke();
		ctx.strokeStyle = colour;
		ctx.lineWidth = width * ratio;
		ctx.stroke();
	}
}

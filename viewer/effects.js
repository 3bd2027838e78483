// Brief signs of what happens in a round: strikes, bursts and flashes.

import { EVENT_SIZE } from "./scene.js";
import { clamp, ease } from "./motion.js";

/** The moment of an effect that a still picture shows. */
export const STILL = 0.55;

/** How each effect is drawn on a cell. @type {Record<string, (pen: Pen, at: Point, colour: string, share: number, size: number) => void>} */
const SIGNS = {
	strike(pen, at, colour, share, size) {
		const radius = size * 0.32 * clamp((share - 0.3) * 4);
		pen.beginPath();
		for (let k = 0; k < 16; k++) {
			const spike = k % 2 ? radius * 0.45 : radius;
			pen.lineTo(at.x + spike * Math.cos((k * Math.PI) / 8), at.y + spike * Math.sin((k * Math.PI) / 8));
		}
		pen.closePath();
		edged(pen, colour, radius * 0.2);
		pen.fillStyle = "#fff3c4";
		pen.fill();
	},
	burst(pen, at, colour, share, size) {
		pen.beginPath();
		pen.arc(at.x, at.y, size * (0.25 + 0.6 * ease(share)), 0, 2 * Math.PI);
		edged(pen, colour, size * 0.1 * (1.2 - share));
	},
	flash(pen, at, colour, _, size) {
		pen.beginPath();
		pen.roundRect(at.x - size * 0.46, at.y - size * 0.46, size * 0.92, size * 0.92, size * 0.16);
		edged(pen, colour, size * 0.07);
	},
};

/**
 * Draws the effects of the events that led to a frame.
 * @param {import("./board.js").Board} board
 * @param {Frame} frame
 * @param {number} share how much of the round is gone
 * @param {number} strength from 0 to 1
 */
export function drawEffects({ ctx, scene, camera, palette }, frame, share, strength) {
	const { events } = frame;
	/** @type {Map<number, Item[]> | undefined} */
	let actors;
	ctx.globalAlpha = strength * Math.sin(Math.PI * clamp(share)) ** 0.7;
	for (let k = 0; k + EVENT_SIZE <= events.length; k += EVENT_SIZE) {
		const [kind, seat, , , cell] = events.slice(k, k + EVENT_SIZE);
		const effect = scene.events[kind]?.effect ?? "none";
		if (!(effect in SIGNS) || cell < 0) continue;
		const { colour } = palette.colours(seat);
		const target = camera.middleOf(cell);
		if (effect === "strike") {
			actors ??= actorsIn(frame, scene.cols);
			for (const actor of actors.get(cell) ?? []) {
				if (actor.seat !== seat) continue;
				const from = camera.middleOf(actor.cell);
				const reach = ease(clamp(share * 2.2));
				ctx.beginPath();
				ctx.moveTo(from.x, from.y);
				ctx.lineTo(from.x + (target.x - from.x) * reach, from.y + (target.y - from.y) * reach);
				edged(ctx, colour, camera.size * 0.1);
			}
		}
		SIGNS[effect](ctx, target, colour, share, camera.size);
	}
	ctx.globalAlpha = 1;
}

/** The items whose last order went towards a neighbouring cell, by that cell. @param {Frame} frame @param {number} cols */
function actorsIn(frame, cols) {
	const steps = [-cols, 1 - cols, 1, cols + 1, cols, cols - 1, -1, -cols - 1];
	/** @type {Map<number, Item[]>} */
	const actors = new Map();
	for (const item of frame.items.values()) {
		const cell = item.cell + steps[item.direction];
		if (item.direction >= 0) actors.set(cell, [...(actors.get(cell) ?? []), item]);
	}
	return actors;
}

/** Draws a path in a colour, with a light edge. @param {Pen} pen @param {string} colour @param {number} width */
function edged(pen, colour, width) {
	pen.lineCap = "round";
	pen.strokeStyle = "#ffffffd0";
	pen.lineWidth = 2 * width + 0.5;
	pen.stroke();
	pen.strokeStyle = colour;
	pen.lineWidth = width;
	pen.stroke();
}

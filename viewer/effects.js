// Brief signs of what happens in a round: strikes, bursts and flashes.

import { EVENT_SIZE } from "./scene.js";
import { clamp, ease } from "./motion.js";

/** The moment of an effect that a still picture shows. */
export const STILL = 0.55;

/**
 * Draws the effects of the events that led to a frame.
 * @param {import("./board.js").Board} board
 * @param {Frame} frame
 * @param {Frame} before where those who act are found
 * @param {number} share how much of the round is gone
 * @param {number} strength from 0 to 1
 */
export function drawEffects({ ctx, scene, camera, palette }, frame, before, share, strength) {
	const { events } = frame;
	ctx.globalAlpha = strength * Math.sin(Math.PI * clamp(share)) ** 0.7;
	for (let k = 0; k + EVENT_SIZE <= events.length; k += EVENT_SIZE) {
		const effect = scene.events[events[k]]?.effect ?? "none";
		if (effect === "none" || events[k + 4] < 0) continue;
		const { colour } = palette.colours(events[k + 1]);
		const target = camera.middleOf(events[k + 4]);
		if (effect === "strike") {
			const actor = frame.items.get(events[k + 3]) ?? before.items.get(events[k + 3]);
			strike(ctx, actor ? camera.middleOf(actor.cell) : target, target, colour, share, camera.size);
		} else if (effect === "burst") {
			burst(ctx, target, colour, share, camera.size);
		} else {
			flash(ctx, target, colour, camera.size);
		}
	}
	ctx.globalAlpha = 1;
}

/** Draws a path in a colour, with a light edge that keeps it apart from the ground. @param {CanvasRenderingContext2D} ctx @param {string} colour @param {number} width */
function edged(ctx, colour, width) {
	ctx.lineCap = "round";
	ctx.strokeStyle = "#ffffff";
	ctx.lineWidth = Math.max(2, 2 * width);
	ctx.stroke();
	ctx.strokeStyle = colour;
	ctx.lineWidth = Math.max(1, width);
	ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {Point} from @param {Point} to @param {string} colour @param {number} share @param {number} size */
function strike(ctx, from, to, colour, share, size) {
	const reach = ease(clamp(share * 2.2));
	ctx.beginPath();
	ctx.moveTo(from.x, from.y);
	ctx.lineTo(from.x + (to.x - from.x) * reach, from.y + (to.y - from.y) * reach);
	edged(ctx, colour, size * 0.1);
	if (share < 0.4) return;
	const radius = size * 0.34 * clamp((share - 0.3) * 4);
	ctx.beginPath();
	for (let k = 0; k < 16; k++) {
		const spike = k % 2 ? radius * 0.45 : radius;
		ctx.lineTo(to.x + spike * Math.cos((k * Math.PI) / 8), to.y + spike * Math.sin((k * Math.PI) / 8));
	}
	ctx.closePath();
	edged(ctx, colour, radius * 0.22);
	ctx.fillStyle = "#fff6d6";
	ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {Point} at @param {string} colour @param {number} share @param {number} size */
function burst(ctx, at, colour, share, size) {
	ctx.beginPath();
	ctx.arc(at.x, at.y, size * (0.25 + 0.6 * ease(share)), 0, 2 * Math.PI);
	edged(ctx, colour, size * 0.1 * (1.2 - share));
}

/** @param {CanvasRenderingContext2D} ctx @param {Point} at @param {string} colour @param {number} size */
function flash(ctx, at, colour, size) {
	ctx.beginPath();
	ctx.roundRect(at.x - size * 0.46, at.y - size * 0.46, size * 0.92, size * 0.92, size * 0.16);
	edged(ctx, colour, size * 0.07);
}

// Brief signs of what happens in a round: strikes, bursts and flashes.

import { EVENT_SIZE } from "./scene.js";
import { clamp, ease } from "./motion.js";

/** @typedef {import("./film.js").Frame} Frame */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */

/** The moment of an effect that a still picture shows. */
export const STILL = 0.55;

/**
 * Draws the effects of the events that led to a frame.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Frame} before where those who act are found
 * @param {number} share how much of the round is gone
 * @param {number} strength from 0 to 1
 * @param {Camera} camera
 * @param {Palette} palette
 */
export function drawEffects(ctx, scene, frame, before, share, strength, camera, palette) {
  const { events } = frame;
  for (let k = 0; k + EVENT_SIZE <= events.length; k += EVENT_SIZE) {
    const effect = scene.events[events[k]]?.effect ?? "none";
    const cell = events[k + 4];
    if (effect === "none" || cell < 0) continue;
    const colour = palette.colours(events[k + 1]).colour;
    const target = middleOf(cell, camera);
    if (effect === "strike") {
      const actor = frame.items.get(events[k + 3]) ?? before.items.get(events[k + 3]);
      strike(ctx, actor ? middleOf(actor.cell, camera) : target, target, colour, share, strength, camera.size);
    } else if (effect === "burst") {
      burst(ctx, target, colour, share, strength, camera.size);
    } else {
      flash(ctx, target, colour, share, strength, camera.size);
    }
  }
  ctx.globalAlpha = 1;
}

/** @param {number} cell @param {Camera} camera @returns {[number, number]} */
function middleOf(cell, camera) {
  return [
    camera.left + ((cell % camera.cols) + 0.5) * camera.size,
    camera.top + (Math.floor(cell / camera.cols) + 0.5) * camera.size,
  ];
}

/** How strong a sign is that swells and fades away. @param {number} share */
function swell(share) {
  return Math.sin(Math.PI * clamp(share)) ** 0.7;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @param {string} colour
 * @param {number} share
 * @param {number} strength
 * @param {number} size
 */
function strike(ctx, from, to, colour, share, strength, size) {
  const reach = ease(clamp(share * 2.2));
  const tip = [from[0] + (to[0] - from[0]) * reach, from[1] + (to[1] - from[1]) * reach];
  ctx.globalAlpha = strength * swell(share);
  ctx.lineCap = "round";
  for (const [style, width] of /** @type {const} */ ([["#ffffff", 0.2], [colour, 0.11]])) {
    ctx.strokeStyle = style;
    ctx.lineWidth = Math.max(1, size * width);
    ctx.beginPath();
    ctx.moveTo(from[0], from[1]);
    ctx.lineTo(tip[0], tip[1]);
    ctx.stroke();
  }
  if (share < 0.4) return;
  star(ctx, to, size * 0.34 * clamp((share - 0.3) * 4), colour);
}

/** @param {CanvasRenderingContext2D} ctx @param {[number, number]} at @param {number} radius @param {string} colour */
function star(ctx, at, radius, colour) {
  ctx.beginPath();
  for (let k = 0; k < 16; k++) {
    const reach = k % 2 ? radius * 0.45 : radius;
    const angle = (k * Math.PI) / 8;
    ctx.lineTo(at[0] + reach * Math.cos(angle), at[1] + reach * Math.sin(angle));
  }
  ctx.closePath();
  ctx.fillStyle = "#fff6d6";
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1, radius * 0.22);
  ctx.fill();
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {[number, number]} at
 * @param {string} colour
 * @param {number} share
 * @param {number} strength
 * @param {number} size
 */
function burst(ctx, at, colour, share, strength, size) {
  const radius = size * (0.25 + 0.6 * ease(share));
  for (const [style, width] of /** @type {const} */ ([["#ffffff", 0.2], [colour, 0.1]])) {
    ctx.globalAlpha = strength * swell(share) * 0.9;
    ctx.strokeStyle = style;
    ctx.lineWidth = Math.max(1, size * width * (1.2 - share));
    ctx.beginPath();
    ctx.arc(at[0], at[1], radius, 0, 2 * Math.PI);
    ctx.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {[number, number]} at
 * @param {string} colour
 * @param {number} share
 * @param {number} strength
 * @param {number} size
 */
function flash(ctx, at, colour, share, strength, size) {
  const half = size * 0.46;
  ctx.globalAlpha = strength * swell(share) * 0.75;
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1, size * 0.08);
  ctx.beginPath();
  ctx.roundRect(at[0] - half, at[1] - half, 2 * half, 2 * half, size * 0.16);
  ctx.stroke();
}

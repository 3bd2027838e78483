// Draws the board: ground, marks, items, effects, and what the user points at.

import { Camera } from "./camera.js";
import { drawEffects, STILL } from "./effects.js";
import { Ground } from "./ground.js";
import { clamp, placeItems } from "./motion.js";
import { context, Sprites } from "./sprites.js";

/** @typedef {import("./film.js").Frame} Frame */
/** @typedef {import("./film.js").Item} Item */
/** @typedef {import("./motion.js").Placed} Placed */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */

/**
 * What to show besides the board itself.
 * @typedef {object} Look
 * @property {boolean} life bars of life
 * @property {boolean} marks overlays on cells
 * @property {boolean} effects
 * @property {number} chosen the id of the item that is inspected, or -1
 * @property {boolean} follow keep that item in the middle
 * @property {number} cell the cell that is inspected, or -1
 * @property {number} hover the cell under the pointer, or -1
 */

/** Draw times kept for the median. */
const COSTS = 240;

export class Board {
  /** @param {HTMLCanvasElement} canvas @param {Scene} scene @param {Palette} palette */
  constructor(canvas, scene, palette) {
    this.canvas = canvas;
    this.ctx = context(canvas);
    this.scene = scene;
    this.palette = palette;
    this.camera = new Camera(scene.rows, scene.cols);
    this.ground = new Ground();
    this.sprites = new Sprites(scene, palette, 1);
    /** @type {number[]} */
    this.costs = [];
    this.ratio = 1;
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.palette = palette;
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
    const ground = this.ground.paint((share < 0.5 ? frame : next).cells, camera, this.sprites);
    ctx.clearRect(0, 0, camera.width, camera.height);
    ctx.drawImage(ground, 0, 0);
    this.tint(frame.mood, 1 - share);
    if (share > 0) this.tint(next.mood, share);
    if (look.marks) this.drawOverlays((share < 0.5 ? frame : next).overlays);
    this.drawItems(placed, look);
    if (look.effects) this.drawSigns(frame, next, share);
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

  /** @param {number} mood @param {number} share */
  tint(mood, share) {
    const tint = this.scene.moods[mood]?.tint;
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
      if (!mark) continue;
      const cell = overlays[k + 1];
      this.stamp(mark.drawing, -1, 0, camera.left + (cell % camera.cols) * camera.size, camera.top + Math.floor(cell / camera.cols) * camera.size);
    }
  }

  /** @param {Placed[]} placed @param {Look} look */
  drawItems(placed, look) {
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
    if (!look.life || camera.size < 6) return;
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
    const height = Math.max(2, Math.round(camera.size * 0.11));
    const x = Math.round(camera.left + column * camera.size + (camera.size - width) / 2);
    const y = Math.round(camera.top + (row + 1) * camera.size) - height - 1;
    const share = item.life / 1000;
    ctx.globalAlpha = alpha;
    ctx.fillStyle = "rgba(16, 20, 30, 0.72)";
    ctx.fillRect(x - 1, y - 1, width + 2, height + 2);
    ctx.fillStyle = share > 0.5 ? "#7be08a" : share > 0.25 ? "#ffd24d" : "#ff7a66";
    ctx.fillRect(x, y, Math.max(1, Math.round(width * share)), height);
  }

  /** @param {Frame} frame @param {Frame} next @param {number} share */
  drawSigns(frame, next, share) {
    const { ctx, scene, camera, palette } = this;
    const fading = clamp(1 - share * 5);
    if (fading > 0) drawEffects(ctx, scene, frame, frame, STILL, 0.85 * fading, camera, palette);
    if (share > 0) drawEffects(ctx, scene, next, frame, share, 1, camera, palette);
  }

  /** @param {Placed | undefined} chosen @param {Look} look */
  drawPointers(chosen, look) {
    const { camera } = this;
    if (look.hover >= 0) this.frameCell(look.hover % camera.cols, Math.floor(look.hover / camera.cols), "rgba(20, 24, 40, 0.55)", 1);
    if (chosen) this.ring(chosen.column, chosen.row);
    else if (look.cell >= 0) this.frameCell(look.cell % camera.cols, Math.floor(look.cell / camera.cols), "#1f6feb", 2);
  }

  /** @param {number} column @param {number} row @param {string} colour @param {number} width */
  frameCell(column, row, colour, width) {
    const { ctx, camera } = this;
    const line = Math.max(1, Math.round(width * this.ratio));
    const [x, y] = [camera.left + column * camera.size, camera.top + row * camera.size];
    for (const [style, grow] of /** @type {const} */ ([["rgba(255, 255, 255, 0.9)", 1], [colour, 0]])) {
      ctx.strokeStyle = style;
      ctx.lineWidth = line + 2 * grow;
      ctx.strokeRect(x, y, camera.size, camera.size);
    }
  }

  /** @param {number} column @param {number} row */
  ring(column, row) {
    const { ctx, camera } = this;
    const x = camera.left + (column + 0.5) * camera.size;
    const y = camera.top + (row + 0.5) * camera.size;
    const radius = Math.max(camera.size * 0.72, 9 * this.ratio);
    for (const [style, width] of /** @type {const} */ ([["#ffffff", 5], ["#1f6feb", 2.5]])) {
      ctx.strokeStyle = style;
      ctx.lineWidth = width * this.ratio;
      ctx.beginPath();
      ctx.arc(x, y, radius, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  /**
   * The items in a cell, those drawn on top first.
   * @param {Frame} frame
   * @param {number} cell
   */
  itemsAt(frame, cell) {
    const layer = (/** @type {Item} */ item) => this.scene.kinds[item.kind]?.layer ?? 0;
    return [...frame.items.values()].filter((item) => item.cell === cell).sort((a, b) => layer(b) - layer(a));
  }
}

// The scores of all players over the match, with the key events below.
// A click or a drag goes to a round.

import { find, setText } from "./dom.js";
import { SEATS } from "./scene.js";
import { canvasOf, context } from "./sprites.js";
import { label, number, text } from "./texts.js";

/** @typedef {import("./chronicle.js").Happening} Happening */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */

const LANE = 5;
const AXIS = 14;

export class Chart {
  /** @param {(round: number) => void} seek */
  constructor(seek) {
    this.canvas = find("chart", HTMLCanvasElement);
    this.note = find("chart-note", HTMLElement);
    this.picture = canvasOf(1, 1);
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {number[][]} */
    this.scores = [];
    /** @type {number[][]} */
    this.marks = [];
    this.round = 0;
    this.left = 0;
    /** @param {PointerEvent} event */
    const go = (event) => seek(this.roundAt(event.offsetX));
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
      else this.tell(this.roundAt(event.offsetX));
    });
    this.canvas.addEventListener("pointerleave", () => setText(this.note, ""));
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  /**
   * @param {Scene} scene
   * @param {number[][]} scores after every round
   * @param {Happening[]} happenings
   * @param {Palette} palette
   * @param {boolean} dark
   */
  load(scene, scores, happenings, palette, dark) {
    Object.assign(this, { scene, scores });
    this.ink = dark ? "#9aa5b8" : "#586173";
    this.line = dark ? "#2a3140" : "#dfe3ea";
    this.pointer = dark ? "#eceff5" : "#161a23";
    this.colours = SEATS.map((seat) => palette.readable(seat, dark ? "#171b23" : "#ffffff"));
    this.marks = SEATS.map((seat) => {
      const rounds = happenings.filter((event) => event.seat === seat && scene.events[event.kind]?.mark);
      return [...new Set(rounds.map((event) => event.round))];
    });
    label(this.canvas, text("chartHint"));
    this.paint();
  }

  /** @param {number} x in CSS pixels */
  roundAt(x) {
    const rounds = this.scene?.rounds ?? 1;
    const share = (x - this.left) / Math.max(1, this.canvas.clientWidth - this.left - 2);
    return Math.max(0, Math.min(this.scores.length - 1, Math.round(share * rounds)));
  }

  /** @param {number} round */
  tell(round) {
    setText(this.note, `${text("round")} ${round}: ${(this.scores[round] ?? []).map((score) => number(score)).join(" · ")}`);
  }

  /** Paints everything but the line at the round that is shown. */
  paint() {
    const { scene, canvas } = this;
    if (!scene || canvas.clientWidth === 0) return;
    const ratio = devicePixelRatio || 1;
    this.picture = canvasOf(Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio));
    const ctx = context(this.picture);
    ctx.scale(ratio, ratio);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const floor = height - AXIS - 4 * LANE - 6;
    const low = Math.min(0, ...this.scores.flat());
    const high = Math.max(low + 1, ...this.scores.flat());
    ctx.font = "11px system-ui, sans-serif";
    this.left = Math.ceil(Math.max(ctx.measureText(number(high)).width, ctx.measureText(number(low)).width)) + 8;
    const x = (/** @type {number} */ round) => this.left + (round / Math.max(1, scene.rounds)) * (width - this.left - 2);
    const y = (/** @type {number} */ score) => 6 + (1 - (score - low) / (high - low)) * (floor - 6);
    this.paintAxes(ctx, x, y, low, high, width, height);
    this.paintLines(ctx, x, y);
    this.paintMarks(ctx, x, floor + 5);
    this.update(this.round);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {(round: number) => number} x
   * @param {(score: number) => number} y
   * @param {number} low
   * @param {number} high
   * @param {number} width
   * @param {number} height
   */
  paintAxes(ctx, x, y, low, high, width, height) {
    const rounds = this.scene?.rounds ?? 1;
    ctx.fillStyle = this.ink ?? "";
    ctx.strokeStyle = this.line ?? "";
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const step = niceStep((high - low) / 3);
    for (let score = Math.ceil(low / step) * step; score <= high; score += step) {
      const at = Math.round(y(score)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(this.left, at);
      ctx.lineTo(width, at);
      ctx.stroke();
      ctx.fillText(number(score), this.left - 6, at);
    }
    ctx.textBaseline = "alphabetic";
    const every = niceStep(rounds / 5);
    for (let round = 0; round <= rounds; round += every) {
      ctx.textAlign = round === 0 ? "left" : x(round) > width - 12 ? "right" : "center";
      ctx.fillText(number(round), x(round), height - 2);
    }
  }

  /** @param {CanvasRenderingContext2D} ctx @param {(round: number) => number} x @param {(score: number) => number} y */
  paintLines(ctx, x, y) {
    ctx.lineWidth = 1.75;
    ctx.lineJoin = "round";
    for (const seat of SEATS) {
      ctx.strokeStyle = this.colours?.[seat] ?? "";
      ctx.beginPath();
      this.scores.forEach((scores, round) => ctx.lineTo(x(round), y(scores[seat])));
      ctx.stroke();
    }
  }

  /** @param {CanvasRenderingContext2D} ctx @param {(round: number) => number} x @param {number} top */
  paintMarks(ctx, x, top) {
    const thick = Math.max(1.5, x(1) - x(0) - 0.5);
    for (const seat of SEATS) {
      ctx.fillStyle = this.colours?.[seat] ?? "";
      for (const round of this.marks[seat] ?? []) ctx.fillRect(x(round) - thick / 2, top + seat * LANE, thick, LANE - 1.5);
    }
  }

  /** @param {number} round */
  update(round) {
    this.round = round;
    const { canvas, picture, scene } = this;
    if (!scene) return;
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    const ratio = devicePixelRatio || 1;
    const ctx = context(canvas);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(picture, 0, 0);
    const at = this.left + (round / Math.max(1, scene.rounds)) * (canvas.clientWidth - this.left - 2);
    ctx.fillStyle = this.pointer ?? "";
    ctx.fillRect(Math.round(at * ratio) - 1, 0, Math.max(1, Math.round(1.5 * ratio)), canvas.height - AXIS * ratio);
  }
}

/** A round number not below this. @param {number} step */
export function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, step)));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= step) ?? 10;
  return factor * power;
}

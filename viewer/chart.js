// The scores of all players over the match, with the key events below.
// A click or a drag goes to a round.

import { find, setText } from "./dom.js";
import { SEATS } from "./scene.js";
import { canvasOf, context } from "./sprites.js";
import { label, number, text } from "./texts.js";

const LANE = 6;
const AXIS = 14;

export class Chart {
	/** @param {(round: number) => void} seek */
	constructor(seek) {
		this.canvas = find("chart", HTMLCanvasElement);
		this.note = find("chart-note");
		this.picture = canvasOf(1, 1);
		this.ink = { text: "", line: "", pointer: "", seats: [""] };
		/** @type {number[][]} after every round */
		this.scores = [[0, 0, 0, 0]];
		/** @type {number[][]} the rounds of key events of each seat */
		this.marks = [];
		this.rounds = 1;
		this.round = 0;
		this.left = 0;
		this.width = 0;
		this.height = 0;
		this.floor = 0;
		this.low = 0;
		this.high = 1;
		const { canvas } = this;
		canvas.addEventListener("pointerdown", (event) => {
			canvas.setPointerCapture(event.pointerId);
			seek(this.roundAt(event.offsetX));
		});
		canvas.addEventListener("pointermove", (event) => {
			const round = this.roundAt(event.offsetX);
			if (event.buttons & 1) seek(round);
			setText(this.note, `${round}: ${this.scores[round].map((score) => number(score)).join(" · ")}`);
		});
		canvas.addEventListener("pointerleave", () => setText(this.note, ""));
		new ResizeObserver(() => this.paint()).observe(canvas);
	}

	/** @param {Scene} scene @param {number[][]} scores @param {Happening[]} happenings @param {Palette} palette @param {boolean} dark */
	load(scene, scores, happenings, palette, dark) {
		this.scores = scores;
		this.rounds = Math.max(1, scene.rounds);
		this.low = scores.reduce((low, four) => Math.min(low, ...four), 0);
		this.high = scores.reduce((high, four) => Math.max(high, ...four), this.low + 1);
		const seats = SEATS.map((seat) => palette.readable(seat, dark ? "#171b23" : "#ffffff"));
		this.ink = dark
			? { text: "#9aa5b8", line: "#2a3140", pointer: "#eceff5", seats }
			: { text: "#586173", line: "#e4e7ed", pointer: "#161a23", seats };
		const roundsOf = (/** @type {number} */ seat) => happenings.filter((event) => event.key && event.seat === seat).map(({ round }) => round);
		this.marks = SEATS.map((seat) => [...new Set(roundsOf(seat))]);
		label(this.canvas, text("chartHint"));
		this.paint();
	}

	/** @param {number} round */
	x(round) {
		return this.left + (round / this.rounds) * (this.width - this.left - 2);
	}

	/** @param {number} score */
	y(score) {
		return 6 + (1 - (score - this.low) / (this.high - this.low)) * (this.floor - 6);
	}

	/** @param {number} x */
	roundAt(x) {
		const round = Math.round(((x - this.left) / Math.max(1, this.x(this.rounds) - this.left)) * this.rounds);
		return Math.max(0, Math.min(this.scores.length - 1, round));
	}

	/** Paints everything but the line at the round that is shown. */
	paint() {
		this.width = this.canvas.clientWidth;
		this.height = this.canvas.clientHeight;
		this.floor = this.height - AXIS - 4 * LANE - 6;
		if (this.width === 0) return;
		const ratio = devicePixelRatio || 1;
		this.picture = canvasOf(Math.round(this.width * ratio), Math.round(this.height * ratio));
		const ctx = context(this.picture);
		ctx.scale(ratio, ratio);
		ctx.font = "11px system-ui, sans-serif";
		const widths = [this.low, this.high].map((score) => ctx.measureText(number(score)).width);
		this.left = Math.ceil(Math.max(...widths)) + 8;
		this.paintAxes(ctx);
		this.paintSeats(ctx);
		this.update(this.round);
	}

	/** @param {Pen} ctx */
	paintAxes(ctx) {
		const { width, height } = this;
		ctx.fillStyle = this.ink.text;
		ctx.textBaseline = "middle";
		ctx.textAlign = "right";
		const step = niceStep((this.high - this.low) / 4);
		for (let score = Math.ceil(this.low / step) * step; score <= this.high; score += step) {
			const y = Math.round(this.y(score));
			ctx.fillText(number(score), this.left - 6, y + 1);
			ctx.fillStyle = this.ink.line;
			ctx.fillRect(this.left, y, width - this.left, 1);
			ctx.fillStyle = this.ink.text;
		}
		ctx.textBaseline = "alphabetic";
		for (let round = 0; round <= this.rounds; round += niceStep(this.rounds / 5)) {
			ctx.textAlign = round === 0 ? "left" : this.x(round) > width - 12 ? "right" : "center";
			ctx.fillText(number(round), this.x(round), height - 2);
		}
	}

	/** @param {Pen} ctx */
	paintSeats(ctx) {
		const thick = Math.max(2.5, this.x(1) - this.x(0) - 0.5);
		ctx.lineWidth = 1.75;
		ctx.lineJoin = "round";
		for (const seat of SEATS) {
			ctx.strokeStyle = ctx.fillStyle = this.ink.seats[seat];
			ctx.beginPath();
			this.scores.forEach((scores, round) => ctx.lineTo(this.x(round), this.y(scores[seat])));
			ctx.stroke();
			const top = this.floor + 5 + seat * LANE;
			for (const round of this.marks[seat] ?? []) ctx.fillRect(this.x(round) - thick / 2, top, thick, LANE - 1.5);
		}
	}

	/** @param {number} round */
	update(round) {
		this.round = round;
		const { canvas, picture } = this;
		if (canvas.width !== picture.width) canvas.width = picture.width;
		if (canvas.height !== picture.height) canvas.height = picture.height;
		const ratio = devicePixelRatio || 1;
		const ctx = context(canvas);
		ctx.clearRect(0, 0, canvas.width, canvas.height);
		ctx.drawImage(picture, 0, 0);
		ctx.fillStyle = this.ink.pointer;
		ctx.fillRect(Math.round(this.x(round) * ratio) - 1, 0, Math.max(1, Math.round(1.5 * ratio)), canvas.height - AXIS * ratio);
	}
}

/** A round number not below this. @param {number} step */
export function niceStep(step) {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, step)));
	return power * ([1, 2, 5].find((factor) => factor * power >= step) ?? 10);
}

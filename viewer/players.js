// The players in the order of their seats, and their ranking by score.

import { find, make, setText, swatch } from "./dom.js";
import { SEATS } from "./scene.js";
import { number, sceneText, text } from "./texts.js";

/** @typedef {{score: HTMLElement, cpu: HTMLElement, values: HTMLElement[], bars: (HTMLElement | null)[]}} Card */

export class Players {
	/** @param {Scene} scene @param {Palette} palette */
	constructor(scene, palette) {
		this.scene = scene;
		this.palette = palette;
		this.list = find("ranking", HTMLOListElement);
		this.order = "";
		/** @type {Card[]} */
		this.cards = [];
		find("cards", HTMLOListElement).replaceChildren(...SEATS.map((seat) => this.makeCard(seat)));
		this.rows = SEATS.map((seat) => this.makeRow(seat));
	}

	/** @param {number} seat */
	makeCard(seat) {
		const colour = this.palette.colours(seat).colour;
		const cpu = make("span", "player-cpu");
		const score = make("span", "player-score");
		const list = make("dl", "values");
		/** @type {Card} */
		const card = { score, cpu, values: [], bars: [] };
		for (const { name, style } of this.scene.panel) {
			const value = make("dd");
			// A bar shows what the score above it says, so that it needs no words.
			const words = style === "bar" ? [] : [make("dt", "", sceneText(name)), value];
			const entry = make("div", style === "bar" ? "bar" : "", ...words);
			const bar = style === "bar" ? make("b") : null;
			if (bar) {
				bar.style.background = colour;
				entry.append(make("i", "", bar));
			}
			card.values.push(value);
			card.bars.push(bar);
			list.append(entry);
		}
		this.cards.push(card);
		const name = make("span", "player-name", this.scene.names[seat] ?? "");
		return make("li", "", make("div", "player-head", swatch(colour), name, cpu, score), list);
	}

	/** @param {number} seat */
	makeRow(seat) {
		const place = make("span", "place");
		const points = make("span", "points");
		const name = make("span", "name", this.scene.names[seat] ?? "");
		return { place, points, row: make("li", "", place, swatch(this.palette.colours(seat).colour), name, points) };
	}

	/** @param {Frame} frame */
	update(frame) {
		const largest = this.scene.panel.map((_, k) => Math.max(1, ...SEATS.map((seat) => frame.panel[seat]?.[k] ?? 0)));
		for (const seat of SEATS) {
			const card = this.cards[seat];
			setText(card.score, number(frame.scores[seat]));
			this.showCpu(card.cpu, frame.statuses[seat]);
			card.values.forEach((value, k) => {
				const amount = frame.panel[seat]?.[k] ?? 0;
				const decimal = this.scene.panel[k].style === "decimal";
				setText(value, decimal ? number(amount / 1000, 2) : number(amount));
				const bar = card.bars[k];
				if (bar) bar.style.transform = `scaleX(${Math.max(0, amount) / largest[k]})`;
			});
		}
		this.rank(frame.scores);
	}

	/** @param {HTMLElement} cpu @param {number} status */
	showCpu(cpu, status) {
		const out = status < 0;
		cpu.hidden = !this.scene.cpu && !out;
		cpu.classList.toggle("out", out);
		setText(cpu, out ? text("out") : `CPU ${number(Math.floor(status * 100))}%`);
	}

	/** @param {number[]} scores */
	rank(scores) {
		const order = rankingOf(scores);
		for (const { seat, place } of order) {
			setText(this.rows[seat].place, String(place));
			setText(this.rows[seat].points, number(scores[seat]));
		}
		const seats = order.map(({ seat }) => seat);
		if (this.order === seats.join()) return;
		this.order = seats.join();
		this.list.replaceChildren(...seats.map((seat) => this.rows[seat].row));
	}
}

/** The seats from the highest score to the lowest; equal scores share a place. @param {number[]} scores */
export function rankingOf(scores) {
	return SEATS.slice()
		.sort((a, b) => scores[b] - scores[a])
		.map((seat) => ({ seat, place: 1 + scores.filter((score) => score > scores[seat]).length }));
}

// What the players of the reader wrote, beside the board: round by round, with
// the round that is shown in sight.

import { find, make, swatch } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {{seat: number, pieces: {round: number | null, text: string}[], cut: boolean, fault: [number, string] | null}} Written */

export class Output {
	/** @param {(round: number) => void} seek */
	constructor(seek) {
		this.seek = seek;
		this.card = find("output");
		this.view = find("output-view");
		this.list = find("output-list", HTMLOListElement);
		this.choice = find("output-seat", HTMLSelectElement);
		/** @type {Written[]} */
		this.seats = [];
		/** @type {[number, HTMLLIElement][]} */
		this.rows = [];
		this.round = -1;
		/** @type {Palette | null} */
		this.palette = null;
		this.choice.addEventListener("change", () => this.fill());
	}

	/** @param {string} address */
	async load(address) {
		const answer = await fetch(address).catch(() => null);
		// Nobody misses what is gone; the page says so elsewhere.
		if (!answer?.ok) return;
		this.seats = await answer.json();
	}

	/** @param {Scene} scene @param {Palette} palette */
	show(scene, palette) {
		const chosen = this.choice.value;
		this.card.hidden = this.seats.length === 0;
		this.choice.hidden = this.seats.length < 2;
		this.choice.replaceChildren(...this.seats.map(({ seat }) => {
			const option = make("option", "", `${seat + 1} · ${scene.names[seat] ?? ""}`);
			option.value = String(seat);
			return option;
		}));
		if (chosen) this.choice.value = chosen;
		this.palette = palette;
		this.fill();
	}

	/** Lists what the chosen player wrote. */
	fill() {
		const written = this.seats.find(({ seat }) => String(seat) === this.choice.value) ?? this.seats[0];
		if (!written || !this.palette) return;
		find("output-title").replaceChildren(swatch(this.palette.colours(written.seat).colour), text("output"));
		const pieces = written.pieces.map(({ round, text: words }) => this.makeRow(round ?? -1, words, ""));
		if (written.fault) pieces.push(this.makeRow(written.fault[0], written.fault[1], "fault"));
		pieces.sort(([a], [b]) => a - b);
		this.rows = pieces;
		this.list.replaceChildren(...pieces.map(([, row]) => row));
		if (written.cut) this.list.append(make("li", "quiet", text("outputCut")));
		if (pieces.length === 0) this.list.append(make("li", "quiet", text("noOutput")));
		// Somebody who wrote nothing gets one line.
		this.card.classList.toggle("silent", pieces.length === 0);
		this.round = -1;
	}

	/** @param {number} round @param {string} words @param {string} kind @returns {[number, HTMLLIElement]} */
	makeRow(round, words, kind) {
		const row = make("li", kind, make("pre", "", words.replace(/\n$/, "")));
		if (round >= 0) {
			const button = make("button", "when", String(round));
			button.title = text("roundOf", { round, last: "" }).trim();
			button.addEventListener("click", () => this.seek(round));
			row.prepend(button);
		}
		return [round, row];
	}

	/** @param {number} round */
	update(round) {
		if (this.card.hidden || round === this.round) return;
		this.round = round;
		for (const [at, row] of this.rows) row.classList.toggle("now", at === round);
		if (this.view.matches(":hover, :focus-within")) return;
		const last = this.rows.findLast(([at]) => at <= round);
		this.view.scrollTop = last ? last[1].offsetTop - this.view.clientHeight / 3 : 0;
	}
}

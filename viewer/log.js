// The list of what happened. Only the rows in sight exist, so that a match
// with thousands of events scrolls as one with ten.

import { find, make, swatch } from "./dom.js";
import { nameOf, placeOf } from "./inspector.js";
import { number, sceneText, text } from "./texts.js";

const ROW = 38;

export class Log {
	/** @param {(happening: Happening) => void} jump */
	constructor(jump) {
		this.jump = jump;
		this.view = find("log-view");
		this.list = find("log-list", HTMLOListElement);
		/** @type {Scene | null} */
		this.scene = null;
		/** @type {Palette | null} */
		this.palette = null;
		/** @type {Happening[]} */
		this.all = [];
		/** @type {Happening[]} */
		this.shown = [];
		/** @type {Map<number, HTMLLIElement>} */
		this.rows = new Map();
		this.round = 0;
		this.chosen = -1;
		this.filter = "key";
		this.view.addEventListener("scroll", () => this.render());
		find("filter").addEventListener("change", (event) => {
			this.filter = /** @type {HTMLInputElement} */ (event.target).value;
			this.select();
		});
		this.view.addEventListener("keydown", (event) => this.walk(event));
		new ResizeObserver(() => this.render()).observe(this.view);
	}

	/** @param {Scene} scene @param {Happening[]} happenings @param {Palette} palette */
	load(scene, happenings, palette) {
		Object.assign(this, { scene, palette, all: happenings });
		if (this.filter === "key" && !happenings.some((event) => event.key)) {
			find("filter").querySelectorAll("input")[1].click();
		}
		this.select();
	}

	/** Picks the events of the filter, and shows them. */
	select() {
		if (!this.scene) return;
		this.shown = this.all.filter((event) => {
			if (this.filter === "unit") return event.item !== -1 && event.item === this.chosen;
			return this.filter === "all" || event.key;
		});
		this.rows.clear();
		this.list.replaceChildren();
		this.list.style.height = `${this.shown.length * ROW}px`;
		if (this.shown.length === 0) this.list.append(make("li", "quiet", text("noEvents")));
		this.update(this.round, this.chosen);
		this.render();
	}

	/** @param {number} round @param {number} chosen the item that is inspected */
	update(round, chosen) {
		const anew = chosen !== this.chosen && this.filter === "unit";
		this.round = round;
		this.chosen = chosen;
		if (anew) return this.select();
		for (const [index, row] of this.rows) this.highlight(index, row);
		if (!this.view.matches(":hover, :focus-within")) {
			const before = this.shown.findLastIndex((event) => event.round < round) + 1;
			this.view.scrollTop = before * ROW - this.view.clientHeight / 2;
		}
		return undefined;
	}

	/** Arrows go from row to row, since the key Tab would have to pass them all. @param {KeyboardEvent} event */
	walk(event) {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (!step) return;
		event.preventDefault();
		event.stopPropagation();
		const focused = [...this.rows].find(([, row]) => row.contains(document.activeElement));
		const next = focused ? focused[0] + step : Math.ceil(this.view.scrollTop / ROW);
		this.rows.get(next)?.querySelector("button")?.focus();
	}

	/** The next (1) or previous (-1) key event, seen from the round that is shown. @param {number} way */
	neighbour(way) {
		const key = this.all.filter((event) => event.key);
		return way > 0 ? key.find((event) => event.round > this.round) : key.findLast((event) => event.round < this.round);
	}

	render() {
		const first = Math.max(0, Math.floor(this.view.scrollTop / ROW) - 2);
		const last = Math.min(this.shown.length, Math.ceil((this.view.scrollTop + this.view.clientHeight) / ROW) + 2);
		for (const [index, row] of this.rows) {
			if (index >= first && index < last) continue;
			row.remove();
			this.rows.delete(index);
		}
		for (let index = first; index < last; index++) {
			if (this.rows.has(index)) continue;
			const row = this.makeRow(index);
			this.rows.set(index, row);
			const after = [...this.rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
			this.list.insertBefore(row, this.rows.get(after) ?? null);
		}
	}

	/** @param {number} index */
	makeRow(index) {
		const happening = this.shown[index];
		const words = this.describe(happening);
		const what = make("span", "what", ...words);
		const button = make("button", "happening", make("span", "when", String(happening.round)), what);
		button.tabIndex = -1;
		button.title = what.textContent ?? "";
		button.addEventListener("click", () => this.jump(happening));
		const row = make("li", "", button);
		row.style.top = `${index * ROW}px`;
		this.highlight(index, row);
		return row;
	}

	/** @param {number} index @param {HTMLLIElement} row */
	highlight(index, row) {
		row.firstElementChild?.setAttribute("aria-current", String(this.shown[index]?.round === this.round));
	}

	/** An event in words, with the colours of those concerned. @param {Happening} event @returns {(Node | string)[]} */
	describe(event) {
		const { scene, palette } = this;
		if (!scene || !palette) return [];
		const player = (/** @type {number} */ seat) => [
			make("span", "who", swatch(palette.colours(seat).colour), scene.names[seat] ?? text("nobody")),
		];
		/** @type {Record<string, (Node | string)[]>} */
		const values = {
			seat: player(event.seat),
			other: player(event.other),
			item: [nameOf(scene, { kind: event.itemKind, id: event.item })],
			cell: [`(${placeOf(scene, event.cell)})`],
			value: [number(event.value)],
		};
		const parts = sceneText(scene.events[event.kind]?.name).split(/\{(\w+)\}/);
		return parts.flatMap((part, k) => (k % 2 ? (values[part] ?? [part]) : [part]));
	}
}

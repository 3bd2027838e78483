// The list of what happened. Only the rows in sight exist, so that a match
// with thousands of events scrolls as one with ten.

import { find, make, swatch } from "./dom.js";
import { fill, number, sceneText, text } from "./texts.js";

const ROW = 38;

export class Log {
	/** @param {(happening: Happening) => void} jump */
	constructor(jump) {
		this.jump = jump;
		this.view = find("log-view", HTMLElement);
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
		find("filter", HTMLElement).addEventListener("change", (event) => {
			this.filter = /** @type {HTMLInputElement} */ (event.target).value;
			this.select();
		});
		new ResizeObserver(() => this.render()).observe(this.view);
	}

	/** @param {Scene} scene @param {Happening[]} happenings @param {Palette} palette */
	load(scene, happenings, palette) {
		Object.assign(this, { scene, palette, all: happenings });
		this.select();
	}

	/** Picks the events of the filter, and shows them. */
	select() {
		const { scene } = this;
		if (!scene) return;
		this.shown = this.all.filter((event) => {
			if (this.filter === "unit") return event.item >= 0 && event.item === this.chosen;
			return this.filter === "all" || scene.events[event.kind]?.mark;
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
			this.view.scrollTop = Math.max(0, this.indexOf(round) * ROW - this.view.clientHeight / 2);
		}
		return undefined;
	}

	/** The first event shown that is not before a round. @param {number} round */
	indexOf(round) {
		let [low, high] = [0, this.shown.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.shown[middle].round < round) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** The next (1) or previous (-1) key event, seen from the round that is shown. @param {number} way */
	neighbour(way) {
		const key = this.all.filter((event) => this.scene?.events[event.kind]?.mark);
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
		const colour = this.palette?.colours(happening.seat).colour ?? "";
		const words = this.describe(happening);
		const what = make("span", "what", words);
		const button = make("button", "happening", make("span", "when", String(happening.round)), swatch(colour), what);
		button.type = "button";
		button.title = words;
		button.addEventListener("click", () => this.jump(happening));
		const row = make("li", "", button);
		row.setAttribute("aria-setsize", String(this.shown.length));
		row.setAttribute("aria-posinset", String(index + 1));
		row.style.top = `${index * ROW}px`;
		this.highlight(index, row);
		return row;
	}

	/** @param {number} index @param {HTMLLIElement} row */
	highlight(index, row) {
		const now = this.shown[index]?.round === this.round;
		row.firstElementChild?.classList.toggle("now", now);
		if (now) row.firstElementChild?.setAttribute("aria-current", "true");
		else row.firstElementChild?.removeAttribute("aria-current");
	}

	/** @param {Happening} event */
	describe(event) {
		const { scene } = this;
		if (!scene) return "";
		const name = (/** @type {number} */ seat) => scene.names[seat] ?? text("nobody");
		const kind = sceneText(scene.kinds[event.itemKind]?.name);
		return fill(sceneText(scene.events[event.kind]?.name), {
			seat: name(event.seat),
			other: name(event.other),
			item: event.item < 0 ? "" : `${kind} ${event.item}`.trim(),
			cell: `(${Math.floor(event.cell / scene.cols)}, ${event.cell % scene.cols})`,
			value: number(event.value),
		});
	}
}

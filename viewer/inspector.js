// What is known about one item or one cell.

import { find, make, swatch } from "./dom.js";
import { ABSENT, itemsAt } from "./frames.js";
import { number, sceneText, text } from "./texts.js";

const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

export class Inspector {
	/** @param {Scene} scene @param {Palette} palette @param {(id: number) => void} choose */
	constructor(scene, palette, choose) {
		this.scene = scene;
		this.palette = palette;
		this.choose = choose;
		this.section = find("inspector");
		this.heading = find("inspected");
		this.details = find("details");
		this.follow = find("follow", HTMLButtonElement);
		/** What was shown last; something else is brought into sight. */
		this.subject = "";
		/** The item that the heading names. */
		this.named = -1;
	}

	/** @param {Frame} frame @param {number} id of the item, or -1 @param {number} cell or -1 @param {boolean} follow */
	update(frame, id, cell, follow) {
		const hidden = id === -1 && cell < 0;
		const subject = hidden ? "" : `${id} ${cell}`;
		const anew = subject !== this.subject;
		this.subject = subject;
		this.section.hidden = hidden;
		if (hidden) return;
		this.follow.hidden = id === -1;
		this.follow.setAttribute("aria-pressed", String(follow));
		if (id !== -1) this.showItem(frame, id);
		else this.showCell(frame, cell);
		if (anew) bringIntoSight(this.section);
	}

	/** @param {Frame} frame @param {number} id */
	showItem(frame, id) {
		const item = frame.items.get(id);
		if (!item) {
			// Whoever was there a round ago keeps the name.
			if (this.named !== id) this.heading.replaceChildren(id < 0 ? "" : `#${id}`);
			this.details.replaceChildren(make("dd", "quiet", text("gone")));
			return;
		}
		const { scene } = this;
		this.named = id;
		this.heading.replaceChildren(swatch(this.palette.colours(item.seat).colour), nameOf(scene, item));
		const badges = scene.badges.filter((_, bit) => item.badges & (1 << bit)).map((badge) => sceneText(badge.name));
		/** @type {[string, Node | string][]} */
		const rows = [
			[text("owner"), scene.names[item.seat] ?? text("nobody")],
			[text("place"), placeOf(scene, item.cell)],
		];
		if (item.life >= 0) rows.push([text("life"), lifeBar(item.life)]);
		scene.facts.forEach((fact, k) => {
			const value = item.facts[k] ?? ABSENT;
			if (value !== ABSENT) rows.push([sceneText(fact.name), number(value)]);
		});
		if (badges.length > 0) rows.push([text("state"), badges.join(", ")]);
		if (item.seat >= 0 && id >= 0) rows.push([text("lastOrder"), this.order(item)]);
		this.fill(rows);
	}

	/** @param {Item} item */
	order(item) {
		const words = make("span");
		if (item.verb < 0) {
			words.append(text("noOrder"));
			return words;
		}
		words.append(sceneText(this.scene.verbs[item.verb]?.name));
		if (item.direction >= 0) words.append(` ${ARROWS[item.direction] ?? ""}`);
		if (item.outcome === 1) words.append(" ", make("span", "verdict yes", `✓ ${text("done")}`));
		if (item.outcome === 0) words.append(" ", make("span", "verdict no", `✗ ${text("noEffect")}`));
		return words;
	}

	/** @param {Frame} frame @param {number} cell */
	showCell(frame, cell) {
		const { scene } = this;
		this.named = -1;
		this.heading.replaceChildren(`${text("place")} ${placeOf(scene, cell)}`);
		const here = itemsAt(frame, cell);
		const items = make("span");
		here.forEach((item, k) => {
			const link = make("button", "link", nameOf(scene, item));
			link.addEventListener("click", () => this.choose(item.id));
			items.append(k > 0 ? ", " : "", link);
		});
		const marks = overlaysAt(scene, frame, cell);
		/** @type {[string, Node | string][]} */
		const rows = [[text("ground"), sceneText(scene.cells[frame.cells[cell]]?.name)]];
		if (marks.length > 0) rows.push([text("state"), marks.join(", ")]);
		rows.push([text("here"), here.length > 0 ? items : text("empty")]);
		this.fill(rows);
	}

	/** @param {[string, Node | string][]} rows */
	fill(rows) {
		this.details.replaceChildren(...rows.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
	}
}

/** Space around what was scrolled to, in pixels. */
const AIR = 8;

/**
 * Scrolls only what is nearest: `scrollIntoView` moves the page around a frame too.
 * Where the board stays above what is scrolled, the element comes right below it.
 * @param {HTMLElement} element
 */
function bringIntoSight(element) {
	let scroller = element.parentElement;
	while (scroller && (scroller.scrollHeight <= scroller.clientHeight || getComputedStyle(scroller).overflowY !== "auto")) scroller = scroller.parentElement;
	if (!scroller) return;
	const covered = Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0;
	const [box, room] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
	const above = box.top - AIR - room.top - covered;
	const below = box.bottom + AIR - room.bottom;
	if (covered > 0 || above < 0) scroller.scrollTop += above;
	else if (below > 0) scroller.scrollTop += Math.min(above, below);
}

/** What an item is called; things that are no units have ids below -1, which nobody knows. @param {Scene} scene @param {{kind: number, id: number}} item */
export function nameOf(scene, { kind, id }) {
	const name = sceneText(scene.kinds[kind]?.name);
	return id < 0 ? name : `${name} ${id}`;
}

/** @param {Scene} scene @param {number} cell */
export function placeOf(scene, cell) {
	return `${Math.floor(cell / scene.cols)}, ${cell % scene.cols}`;
}

/** What a cell holds, in a few words. @param {Scene} scene @param {Frame} frame @param {number} cell */
export function describeCell(scene, frame, cell) {
	const words = itemsAt(frame, cell).map((item) => [nameOf(scene, item), scene.names[item.seat]].filter(Boolean).join(" · "));
	const ground = sceneText(scene.cells[frame.cells[cell]]?.name);
	return [placeOf(scene, cell), ground, ...overlaysAt(scene, frame, cell), ...words].join(" · ");
}

/** @param {Scene} scene @param {Frame} frame @param {number} cell */
function overlaysAt(scene, frame, cell) {
	const names = [];
	for (let k = 0; k + 1 < frame.overlays.length; k += 2) {
		if (frame.overlays[k + 1] === cell) names.push(sceneText(scene.overlays[frame.overlays[k]]?.name));
	}
	return names;
}

/** @param {number} life in thousandths */
function lifeBar(life) {
	const bar = make("b");
	bar.style.transform = `scaleX(${life / 1000})`;
	return make("span", "life", make("i", "", bar), `${number(Math.ceil(life / 10))}%`);
}

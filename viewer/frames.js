// From changes to whole frames. A frame is never altered once it is made, so
// frames share whatever did not change between them.

/** The value of a fact that does not apply to an item. */
export const ABSENT = -2147483648;

const FIELDS = /** @type {const} */ ([
	"kind", "cell", "seat", "heading", "life", "badges", "verb", "direction", "outcome",
]);

/** A frame in so many is kept for good; the others come and go. */
const KEYFRAME = 16;
const RECENT = 4 * KEYFRAME;

export class Frames {
	/** @param {Scene} scene */
	constructor(scene) {
		this.scene = scene;
		/** The last round that can be shown. */
		this.last = scene.frames.length - 1;
		/** @type {Frame[]} */
		this.keyframes = [firstFrame(scene)];
		/** @type {Map<number, Frame>} */
		this.recent = new Map();
	}

	/** The board after so many rounds. @param {number} round @returns {Frame} */
	frame(round) {
		const wanted = Math.max(0, Math.min(this.last, Math.floor(round)));
		const known = this.recent.get(wanted);
		if (known) return known;
		const key = Math.min(Math.floor(wanted / KEYFRAME), this.keyframes.length - 1);
		let frame = this.recent.get(wanted - 1) ?? this.keyframes[key];
		while (frame.round < wanted) {
			frame = apply(this.scene, frame, this.scene.frames[frame.round + 1], frame.round + 1);
			this.remember(frame);
		}
		return frame;
	}

	/** @param {Frame} frame */
	remember(frame) {
		if (frame.round === this.keyframes.length * KEYFRAME) this.keyframes.push(frame);
		const [oldest] = this.recent.keys();
		if (this.recent.size >= RECENT) this.recent.delete(oldest);
		this.recent.set(frame.round, frame);
	}
}

/** @param {Scene} scene @returns {Frame} */
function firstFrame(scene) {
	const delta = scene.frames[0];
	const cells = new Uint8Array(scene.rows * scene.cols);
	const runs = delta.board ?? [];
	for (let k = 0, at = 0; k + 1 < runs.length; k += 2) {
		cells.fill(runs[k + 1], at, at + runs[k]);
		at += runs[k];
	}
	const nothing = {
		round: 0, cells, items: new Map(), overlays: [], panel: [[], [], [], []],
		scores: [0, 0, 0, 0], statuses: [0, 0, 0, 0], mood: 0, events: [],
	};
	return apply(scene, nothing, delta, 0);
}

/** @param {Scene} scene @param {Frame} before @param {Delta} delta @param {number} round @returns {Frame} */
function apply(scene, before, delta, round) {
	return {
		round,
		cells: delta.c ? changedCells(before.cells, delta.c) : before.cells,
		items: delta.i || delta.g ? changedItems(scene, before.items, delta) : before.items,
		overlays: delta.o ?? before.overlays,
		panel: delta.p ?? before.panel,
		scores: delta.s ?? before.scores,
		statuses: delta.u ?? before.statuses,
		mood: delta.m ?? before.mood,
		events: delta.e ?? [],
	};
}

/** @param {Uint8Array} before @param {number[]} changes */
function changedCells(before, changes) {
	const cells = before.slice();
	for (let k = 0; k + 1 < changes.length; k += 2) cells[changes[k]] = changes[k + 1];
	return cells;
}

/** @param {Scene} scene @param {Map<number, Item>} before @param {Delta} delta */
function changedItems(scene, before, delta) {
	const items = new Map(before);
	for (const id of delta.g ?? []) items.delete(id);
	readItems(delta.i ?? [], scene.facts.length, items);
	return items;
}

/** Reads changed items into `items`. @param {number[]} list @param {number} facts how many facts an item has @param {Map<number, Item>} items */
function readItems(list, facts, items) {
	let at = 0;
	while (at + 1 < list.length) {
		const id = list[at++];
		const mask = list[at++];
		const old = items.get(id);
		/** @type {Item} */
		const item = old
			? { ...old }
			: { id, kind: 0, cell: 0, seat: -1, heading: -1, life: -1, badges: 0, verb: -1, direction: -1, outcome: -1, facts: [] };
		FIELDS.forEach((field, bit) => {
			if (mask & (1 << bit)) item[field] = list[at++];
		});
		if (mask >>> FIELDS.length) {
			item.facts = old ? old.facts.slice() : new Array(facts).fill(ABSENT);
			for (let k = 0; k < facts; k++) {
				if (mask & (1 << (FIELDS.length + k))) item.facts[k] = list[at++];
			}
		}
		items.set(id, item);
	}
}

/** What is in a cell. @param {Frame} frame @param {number} cell */
export function itemsAt(frame, cell) {
	return [...frame.items.values()].filter((item) => item.cell === cell);
}

// What the whole match tells: the scores of every round and everything that happened.

import { EVENT_SIZE } from "./scene.js";

/** The scores after every round. @param {Scene} scene @returns {number[][]} */
export function scoresOf(scene) {
	let scores = [0, 0, 0, 0];
	return scene.frames.map((delta) => (scores = delta.s ?? scores));
}

/** Every event of the match, in order. @param {Scene} scene @returns {Happening[]} */
export function happeningsOf(scene) {
	/** @type {Map<number, number>} */
	const kinds = new Map();
	/** @type {Happening[]} */
	const happenings = [];
	scene.frames.forEach((delta, round) => {
		noteKinds(delta.i ?? [], kinds);
		const events = delta.e ?? [];
		for (let k = 0; k + EVENT_SIZE <= events.length; k += EVENT_SIZE) {
			const [kind, seat, other, item, cell, value] = events.slice(k, k + EVENT_SIZE);
			const key = scene.events[kind]?.mark === true;
			happenings.push({ round, kind, key, seat, other, item, itemKind: kinds.get(item) ?? -1, cell, value });
		}
	});
	return happenings;
}

/** Keeps the kind of every item that is named; the kind is the first field. @param {number[]} list @param {Map<number, number>} kinds */
function noteKinds(list, kinds) {
	for (let at = 0; at + 1 < list.length; ) {
		const mask = list[at + 1];
		if (mask & 1) kinds.set(list[at], list[at + 2]);
		at += 2 + countOnes(mask);
	}
}

/** @param {number} mask */
function countOnes(mask) {
	let count = 0;
	for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
	return count;
}

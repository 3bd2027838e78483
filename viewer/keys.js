// The keyboard: one table says what keys do, to the window of help and to the
// hints of buttons too.

import { make } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {keyof typeof KEYS | "previousEvent" | "previousUnit" | "close" | "dismiss" | "dismissOutcome" | "follow"
 * | "cursorUp" | "cursorDown" | "cursorLeft" | "cursorRight"} Action */

/** The keys of an action, in the order of the help window. */
const KEYS = {
	play: [" "], start: ["Home"], end: ["End"], back: ["ArrowLeft", "ArrowUp"], forward: ["ArrowRight", "ArrowDown"],
	back10: ["PageUp"], forward10: ["PageDown"], faster: ["+", "="], slower: ["-"], animation: ["A"], nextEvent: ["N", "P"],
	nextUnit: ["]", "["], moveCursor: ["Shift", "← ↑ → ↓"], inspectCell: ["Enter"], letGo: ["Escape"], zoomIn: ["Z"],
	zoomOut: ["X"], fit: ["0"], fullScreen: ["F"], legend: ["L"], drawn: ["D"], open: ["O"], help: ["H", "?"],
};

/** The second key of these goes the other way. @type {Record<string, Action>} */
const REVERSED = { P: "previousEvent", "[": "previousUnit" };

/** Keys with which a number is edited. */
const EDITING = ["Backspace", "Delete", "Enter", "Escape", "Tab", "ArrowLeft", "ArrowRight", "Home", "End"];

/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓", Escape: "Esc", "-": "−" };

/**
 * What a key press asks for, unless the element that has the focus needs it.
 * @param {KeyboardEvent} event
 * @returns {Action | undefined}
 */
export function actionOf(event) {
	// It may be an element of the page around.
	const target = /** @type {Element | null} */ (event.target);
	const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
	if (event.ctrlKey || event.metaKey || event.altKey || !target?.matches) return undefined;
	if (target.closest("dialog[open], :popover-open") || target.matches("select")) return undefined;
	// The field of the round keeps what edits a number; all other keys do what they do everywhere.
	if (target.matches("input:not([type=range], [type=radio])") && (/^[\d]$/.test(key) || EDITING.includes(key))) return undefined;
	if (key === "Escape" && document.querySelector(":popover-open")) return undefined;
	if (target.matches("button") && (key === " " || key === "Enter")) return undefined;
	if (target.matches("input[type=radio]") && key.startsWith("Arrow")) return undefined;
	if (event.shiftKey && key.startsWith("Arrow")) return /** @type {Action} */ (`cursor${key.slice(5)}`);
	const actions = /** @type {(keyof typeof KEYS)[]} */ (Object.keys(KEYS));
	return REVERSED[key] ?? actions.find((action) => KEYS[action].includes(key));
}

/** The first key of an action, for hints. @param {string} action */
export function keyOf(action) {
	return action in KEYS ? shown(KEYS[/** @type {keyof typeof KEYS} */ (action)][0]) : "";
}

/** The rows of the help window. */
export function helpRows() {
	return Object.entries(KEYS).map(([action, keys]) => {
		const signs = keys.map((key) => make("kbd", "", shown(key)));
		return make("div", "", make("dt", "", text(/** @type {TextKey} */ (action))), make("dd", "", ...signs));
	});
}

/** @param {string} key */
function shown(key) {
	if (key === " ") return text("keySpace");
	if (key === "Enter" || key === "Shift") return text(`key${key}`);
	return SIGNS[key] ?? key;
}

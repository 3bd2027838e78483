// The keyboard: one table says what keys do, in the window of help and in the
// hints of buttons.

import { make } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {keyof typeof KEYS | "previousEvent" | "previousUnit" | "cursorUp" | "cursorDown" | "cursorLeft" | "cursorRight" | "close" | "dismiss" | "follow"} Action */

/** The keys of an action as they are shown, in the order of the help window. */
const KEYS = {
  play: ["keySpace"], start: ["Home"], end: ["End"], back: ["←", "↑"], forward: ["→", "↓"], back10: ["PageUp"], forward10: ["PageDown"],
  faster: ["+"], slower: ["−"], animation: ["A"], nextEvent: ["N", "P"], nextUnit: ["]", "["], moveCursor: ["keyShift", "← ↑ → ↓"],
  inspectCell: ["keyEnter"], letGo: ["Esc"], zoomIn: ["Z"], zoomOut: ["X"], fit: ["0"], fullScreen: ["F"], open: ["O"], help: ["H"],
};

/** @type {Record<string, Action>} */
const ACTIONS = {
  " ": "play", Home: "start", End: "end", ArrowLeft: "back", ArrowUp: "back", ArrowRight: "forward", ArrowDown: "forward",
  PageUp: "back10", PageDown: "forward10", "+": "faster", "=": "faster", "-": "slower", a: "animation", z: "zoomIn", x: "zoomOut",
  0: "fit", f: "fullScreen", h: "help", "?": "help", o: "open", n: "nextEvent", p: "previousEvent", "]": "nextUnit",
  "[": "previousUnit", Escape: "letGo", Enter: "inspectCell",
};

/**
 * What a key press asks for, unless the element that has the focus needs it.
 * @param {KeyboardEvent} event
 * @returns {Action | undefined}
 */
export function actionOf(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return undefined;
  if (target.closest("dialog, [popover]") || target.matches("select, input:not([type=range], [type=radio])")) return undefined;
  if (target.matches("button, a, input[type=radio]") && (key === " " || key === "Enter")) return undefined;
  if (target.matches("input[type=radio]") && key.startsWith("Arrow")) return undefined;
  if (event.shiftKey && key.startsWith("Arrow")) return /** @type {Action} */ (`cursor${key.slice(5)}`);
  return ACTIONS[key] ?? ACTIONS[key.toLowerCase()];
}

/** The first key of an action, for hints. @param {string} action */
export function keyOf(action) {
  const key = action in KEYS ? KEYS[/** @type {keyof typeof KEYS} */ (action)][0] : "";
  return shown(key);
}

/** The rows of the help window. */
export function helpRows() {
  return Object.entries(KEYS).flatMap(([action, keys]) => [
    make("dt", "", ...keys.map((key) => make("kbd", "", shown(key)))),
    make("dd", "", text(/** @type {TextKey} */ (action))),
  ]);
}

/** @param {string} key */
function shown(key) {
  return key.startsWith("key") ? text(/** @type {TextKey} */ (key)) : key;
}

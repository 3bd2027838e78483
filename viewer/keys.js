// The keyboard: one table for what keys do, from which the help window is made.

import { make } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./texts.js").Key} Key */
/** @typedef {"play" | "start" | "end" | "back" | "forward" | "back10" | "forward10" | "faster" | "slower" | "animation" | "zoomIn" |
 * "zoomOut" | "fit" | "fullScreen" | "help" | "open" | "nextEvent" | "previousEvent" | "nextUnit" | "previousUnit" | "letGo" |
 * "inspectCell" | "cursorUp" | "cursorDown" | "cursorLeft" | "cursorRight"} Action */

/** @type {Record<string, Action>} */
const KEYS = {
  " ": "play", Home: "start", End: "end", ArrowLeft: "back", ArrowUp: "back", ArrowRight: "forward", ArrowDown: "forward",
  PageUp: "back10", PageDown: "forward10", "+": "faster", "=": "faster", "-": "slower", a: "animation", z: "zoomIn", x: "zoomOut",
  0: "fit", f: "fullScreen", h: "help", "?": "help", o: "open", n: "nextEvent", p: "previousEvent", "]": "nextUnit",
  "[": "previousUnit", Escape: "letGo", Enter: "inspectCell",
};

/** @type {Record<string, Action>} */
const WITH_SHIFT = { ArrowUp: "cursorUp", ArrowDown: "cursorDown", ArrowLeft: "cursorLeft", ArrowRight: "cursorRight" };

/** @type {[Key, (Key | string)[]][]} */
const HELP = [
  ["play", ["keySpace"]], ["start", ["Home"]], ["end", ["End"]], ["back", ["←", "↑"]], ["forward", ["→", "↓"]],
  ["back10", ["PageUp"]], ["forward10", ["PageDown"]], ["faster", ["+"]], ["slower", ["−"]], ["animation", ["A"]],
  ["nextEvent", ["N", "P"]], ["nextUnit", ["]", "["]], ["moveCursor", ["keyShift", "← ↑ → ↓"]], ["inspectCell", ["keyEnter"]],
  ["letGo", ["Esc"]], ["zoomIn", ["Z"]], ["zoomOut", ["X"]], ["fit", ["0"]], ["fullScreen", ["F"]], ["open", ["O"]], ["help", ["H"]],
];

/**
 * What a key press asks for, unless the element that has the focus needs it.
 * @param {KeyboardEvent} event
 * @returns {Action | undefined}
 */
export function actionOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("dialog, [popover]")) return undefined;
  if (target?.matches("select, input:not([type=range]), textarea")) return event.key === "Escape" ? "letGo" : undefined;
  if (target?.matches("button, a") && (event.key === " " || event.key === "Enter")) return undefined;
  if (event.shiftKey && event.key in WITH_SHIFT) return WITH_SHIFT[event.key];
  return KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
}

/** The rows of the help window. */
export function helpRows() {
  return HELP.flatMap(([name, keys]) => [
    make("dt", "", ...keys.map((key) => make("kbd", "", key.startsWith("key") ? text(/** @type {Key} */ (key)) : key))),
    make("dd", "", text(name)),
  ]);
}

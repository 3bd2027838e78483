// The scene stream, as the games write it: what things look like, then frames.
// Nothing here knows the rules of a game.

/** @typedef {{en: string, ca: string, es: string}} Text */
/** @typedef {{d: string, fill?: string, stroke?: string, width?: number}} Layer */
/** @typedef {{layers: Layer[]}} Drawing */
/** @typedef {{name: Text, fill: string, drawing?: number}} CellKind */
/** @typedef {{name: Text, drawing: number, turns: boolean, layer: number}} ItemKind */
/** @typedef {{name: Text, drawing: number}} Mark */
/** @typedef {{name: Text, style: "number" | "bar" | "decimal"}} PanelValue */
/** @typedef {{name: Text, mark: boolean, effect: "strike" | "burst" | "flash" | "none"}} EventKind */
/** @typedef {{name: Text, tint: string | null}} Mood */
/** @typedef {{colour: string, pale: string}} SeatColours */

/**
 * The changes of one round; an absent key means "as before".
 * @typedef {object} Delta
 * @property {number[]} [board] run lengths of the ground, in the first frame
 * @property {number[]} [c] changed cells
 * @property {number[]} [i] changed items
 * @property {number[]} [g] items that are gone
 * @property {number[]} [o] overlays
 * @property {number[][]} [p] panel values of each seat
 * @property {number[]} [s] scores
 * @property {number[]} [u] statuses
 * @property {number} [m] mood
 * @property {number[]} [e] events
 */

/**
 * @typedef {object} Scene
 * @property {number} scene
 * @property {string} game
 * @property {string} title
 * @property {number} rows
 * @property {number} cols
 * @property {number} rounds
 * @property {number} seed
 * @property {boolean} judged
 * @property {string[]} names
 * @property {boolean} cpu
 * @property {string | null} damage
 * @property {number} ticks
 * @property {SeatColours[]} seats
 * @property {Drawing[]} drawings
 * @property {CellKind[]} cells
 * @property {ItemKind[]} kinds
 * @property {Mark[]} badges
 * @property {Mark[]} overlays
 * @property {{name: Text}[]} facts
 * @property {{name: Text}[]} verbs
 * @property {PanelValue[]} panel
 * @property {EventKind[]} events
 * @property {Mood[]} moods
 * @property {Text} help
 * @property {Delta[]} frames
 */

export const SEATS = [0, 1, 2, 3];

/** The numbers that one event takes: kind, seat, other seat, item, cell, value. */
export const EVENT_SIZE = 6;

const LISTS = /** @type {const} */ ([
  "names", "seats", "drawings", "cells", "kinds", "badges", "overlays", "facts", "verbs", "panel", "events", "moods", "frames",
]);

/**
 * The scene in a JSON text. An error says what is wrong with it.
 * @param {string} json
 * @returns {Scene}
 */
export function readScene(json) {
  const scene = JSON.parse(json);
  if (typeof scene !== "object" || scene === null || !("scene" in scene)) throw new Error("this is no scene");
  if (scene.scene !== 1) throw new Error(`this viewer shows scenes of version 1, not ${String(scene.scene)}`);
  for (const list of LISTS) {
    if (!Array.isArray(scene[list])) throw new Error(`the scene has no ${list}`);
  }
  if (!(scene.rows > 0 && scene.cols > 0)) throw new Error("the scene has no board");
  if (scene.frames.length === 0) throw new Error("the scene has no frames");
  return scene;
}

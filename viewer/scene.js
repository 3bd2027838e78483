// The scene stream, as the games write it: what things look like, then frames.
// Nothing here knows the rules of a game.

export const SEATS = [0, 1, 2, 3];

/** The numbers that one event takes: kind, seat, other seat, item, cell, value. */
export const EVENT_SIZE = 6;

const LISTS = /** @type {const} */ ([
	"names", "seats", "drawings", "cells", "kinds", "badges", "overlays", "facts", "verbs", "panel", "events", "moods", "frames",
]);

/** The scene in a JSON text. An error says what is wrong with it. @param {string} json @returns {Scene} */
export function readScene(json) {
	const scene = JSON.parse(json);
	if (typeof scene !== "object" || scene === null || !("scene" in scene)) throw new Error("this is no scene");
	if (scene.scene !== 1) throw new Error(`this viewer shows scenes of version 1, not ${String(scene.scene)}`);
	for (const list of LISTS) {
		if (!Array.isArray(scene[list])) throw new Error(`the scene has no ${list}`);
	}
	if (!(scene.rows > 0 && scene.cols > 0)) throw new Error("the scene has no board");
	if (scene.frames.length === 0) throw new Error("the scene has no frames");
	// A name must not turn the direction of the words around it.
	scene.names = scene.names.map((/** @type {string} */ name) => name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd"));
	return scene;
}

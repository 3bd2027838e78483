// Mouse, pen and fingers on the board: drag to pan, pinch or wheel to zoom,
// tap to choose.

/** Movements shorter than this are still a tap, in pixels. */
const SLACK = 6;

/** Calls the gestures with positions relative to the element, in CSS pixels. @param {HTMLElement} element @param {Gestures} gestures */
export function watchPointers(element, gestures) {
	/** @type {Map<number, Point>} */
	const down = new Map();
	let travelled = 0;

	/** @param {MouseEvent} event */
	const place = (event) => {
		const box = element.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	};

	element.addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		element.setPointerCapture(event.pointerId);
		if (down.size === 0) travelled = 0;
		down.set(event.pointerId, place(event));
		if (down.size > 1) travelled = Infinity;
	});

	element.addEventListener("pointermove", (event) => {
		const now = place(event);
		const before = down.get(event.pointerId);
		if (!before) {
			if (event.pointerType !== "touch") gestures.hover(now.x, now.y);
			return;
		}
		const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
		down.set(event.pointerId, now);
		if (other) {
			const spread = distance(now, other) / Math.max(1, distance(before, other));
			gestures.zoom(spread, (now.x + other.x) / 2, (now.y + other.y) / 2);
			gestures.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
			return;
		}
		travelled += distance(now, before);
		if (travelled > SLACK) gestures.pan(now.x - before.x, now.y - before.y);
	});

	element.addEventListener("pointerup", (event) => {
		const now = place(event);
		if (down.delete(event.pointerId) && travelled <= SLACK) gestures.tap(now.x, now.y);
	});
	element.addEventListener("pointercancel", (event) => down.delete(event.pointerId));
	element.addEventListener("pointerleave", () => gestures.leave());
	element.addEventListener(
		"wheel",
		(event) => {
			event.preventDefault();
			const now = place(event);
			gestures.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 400), now.x, now.y);
		},
		{ passive: false },
	);
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
	return Math.hypot(a.x - b.x, a.y - b.y);
}

// Where items are between two rounds. Neighbouring cells are joined by a
// movement; what goes further, comes or goes is faded.

/**
 * Every item, as it is when `share` of the way from a frame to the next is gone.
 * @param {Frame} frame
 * @param {Frame} next
 * @param {number} share from 0 to below 1
 * @param {number} cols
 * @returns {Placed[]}
 */
export function placeItems(frame, next, share, cols) {
	/** @type {Placed[]} */
	const placed = [];
	if (share === 0 || frame === next) {
		for (const item of frame.items.values()) placed.push(still(item, cols, 1));
		return placed;
	}
	const eased = ease(share);
	for (const item of frame.items.values()) {
		const later = next.items.get(item.id);
		if (!later) {
			placed.push(still(item, cols, 1 - ease(clamp((share - 0.35) / 0.6))));
		} else if (later === item) {
			placed.push(still(item, cols, 1));
		} else if (distance(item.cell, later.cell, cols) <= 1) {
			placed.push(between(item, later, eased, cols));
		} else if (share < 0.5) {
			placed.push(still(item, cols, 1 - 2 * share));
		} else {
			placed.push(still(later, cols, 2 * share - 1));
		}
	}
	for (const item of next.items.values()) {
		if (!frame.items.has(item.id)) placed.push(still(item, cols, ease(clamp((share - 0.3) / 0.6))));
	}
	return placed;
}

/** @param {Item} item @param {number} cols @param {number} alpha @returns {Placed} */
function still(item, cols, alpha) {
	return { item, column: item.cell % cols, row: Math.floor(item.cell / cols), alpha, turn: 0 };
}

/** @param {Item} from @param {Item} to @param {number} share @param {number} cols @returns {Placed} */
function between(from, to, share, cols) {
	const here = still(share < 0.5 ? from : to, cols, 1);
	const [column, row] = [from.cell % cols, Math.floor(from.cell / cols)];
	here.column = column + ((to.cell % cols) - column) * share;
	here.row = row + (Math.floor(to.cell / cols) - row) * share;
	if (from.heading >= 0 && to.heading >= 0 && from.heading !== to.heading) {
		const arc = ((to.heading - from.heading + 12) % 8) - 4;
		const turned = arc * clamp(share * 2);
		here.turn = share < 0.5 ? turned : turned - arc;
	}
	return here;
}

/** Steps of a king from a cell to another. @param {number} from @param {number} to @param {number} cols */
export function distance(from, to, cols) {
	const rows = Math.abs(Math.floor(from / cols) - Math.floor(to / cols));
	return Math.max(rows, Math.abs((from % cols) - (to % cols)));
}

/** @param {number} share */
export function ease(share) {
	return share * share * (3 - 2 * share);
}

/** @param {number} value */
export function clamp(value) {
	return Math.min(1, Math.max(0, value));
}

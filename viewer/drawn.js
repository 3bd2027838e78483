// What players drew for their authors, over the board of the round in which they did.

/** @typedef {import("./board.js").Board} Board */

const CELL = 1;
const LINE = 2;
const TEXT = 3;

/** The drawings of each round. @param {Scene} scene @returns {Map<number, Shape[]>} */
export function shapesByRound(scene) {
	/** @type {Map<number, Shape[]>} */
	const rounds = new Map();
	for (const [round, seat, kind, colour, a, b, c, d, words] of scene.drawn ?? []) {
		const text = String(words).replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");
		const shape = { seat, kind, colour, place: [a, b, c, d], text };
		const list = rounds.get(round);
		if (list) list.push(shape);
		else rounds.set(round, [shape]);
	}
	return rounds;
}

/** @param {Board} board @param {Shape[]} shapes @param {Placed[]} placed */
export function drawShapes(board, shapes, placed) {
	const { ctx, camera } = board;
	const middle = (/** @type {number} */ row, /** @type {number} */ column) => ({
		x: camera.left + (column + 0.5) * camera.size,
		y: camera.top + (row + 0.5) * camera.size,
	});
	for (const shape of shapes) {
		const [a, b, c, d] = shape.place;
		ctx.strokeStyle = ctx.fillStyle = colourOf(board, shape);
		ctx.lineWidth = Math.max(2 * board.ratio, camera.size * 0.1);
		if (shape.kind === CELL) {
			ctx.globalAlpha = 0.45;
			ctx.fillRect(camera.left + b * camera.size, camera.top + a * camera.size, camera.size, camera.size);
			ctx.globalAlpha = 1;
		} else if (shape.kind === LINE) {
			const [from, to] = [middle(a, b), middle(c, d)];
			ctx.beginPath();
			ctx.moveTo(from.x, from.y);
			ctx.lineTo(to.x, to.y);
			ctx.stroke();
		} else if (shape.kind === TEXT) {
			write(board, shape.text, middle(a, b));
		} else {
			const unit = placed.find((place) => place.item.id === a);
			if (unit) write(board, shape.text, middle(unit.row - 0.75, unit.column));
		}
	}
}

/** @param {Board} board @param {Shape} shape */
function colourOf(board, { seat, colour }) {
	if (colour >= 0) return `#${(colour & 0xffffff).toString(16).padStart(6, "0")}`;
	return board.palette.seats[seat]?.colour ?? "#000000";
}

/** Words that can be read on any ground. @param {Board} board @param {string} words @param {{ x: number, y: number }} at */
function write({ ctx, camera, ratio }, words, at) {
	ctx.font = `600 ${Math.max(10 * ratio, Math.min(camera.size * 0.6, 18 * ratio))}px system-ui, sans-serif`;
	ctx.textAlign = "center";
	ctx.textBaseline = "middle";
	ctx.lineWidth = 3 * ratio;
	ctx.strokeStyle = "#ffffffe6";
	ctx.strokeText(words, at.x, at.y);
	ctx.fillText(words, at.x, at.y);
}

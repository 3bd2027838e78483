// The ground of the board as a picture of the whole view, in which only the
// cells that changed are painted again.

import { canvasOf, context } from "./sprites.js";

/** Cells smaller than this are drawn without lines between them. */
const SMALLEST_WITH_GRID = 7;
const GRID = "rgba(20, 24, 40, 0.08)";

export class Ground {
	constructor() {
		this.picture = canvasOf(1, 1);
		this.ctx = context(this.picture);
		this.signature = "";
		/** @type {Uint8Array | null} */
		this.cells = null;
		/** @type {Sprites | null} */
		this.sprites = null;
	}

	/** The picture of these cells. @param {Uint8Array} cells @param {Camera} camera @param {Sprites} sprites */
	paint(cells, camera, sprites) {
		if (this.signature !== camera.signature || this.sprites !== sprites || !this.cells) {
			this.paintAll(cells, camera, sprites);
		} else if (this.cells !== cells) {
			for (let cell = 0; cell < cells.length; cell++) {
				if (cells[cell] !== this.cells[cell]) this.paintCell(cell, cells[cell], camera, sprites);
			}
		}
		this.cells = cells;
		return this.picture;
	}

	/** @param {Uint8Array} cells @param {Camera} camera @param {Sprites} sprites */
	paintAll(cells, camera, sprites) {
		this.signature = camera.signature;
		this.sprites = sprites;
		if (this.picture.width !== camera.width || this.picture.height !== camera.height) {
			this.picture.width = camera.width;
			this.picture.height = camera.height;
		} else {
			this.ctx.clearRect(0, 0, camera.width, camera.height);
		}
		const { left, top, size, rows, cols } = camera;
		for (let row = 0; row < rows; row++) {
			for (let from = 0, to = 0; from < cols; from = to) {
				const kind = cells[row * cols + from];
				while (to < cols && cells[row * cols + to] === kind) to++;
				this.paintRun(kind, left + from * size, top + row * size, to - from, sprites);
			}
		}
		if (size < SMALLEST_WITH_GRID) return;
		this.ctx.fillStyle = GRID;
		for (let row = 1; row <= rows; row++) this.ctx.fillRect(left, top + row * size - 1, cols * size, 1);
		for (let col = 1; col <= cols; col++) this.ctx.fillRect(left + col * size - 1, top, 1, rows * size);
	}

	/** Cells of one kind beside each other. @param {number} kind @param {number} x @param {number} y @param {number} count @param {Sprites} sprites */
	paintRun(kind, x, y, count, sprites) {
		const { size } = sprites;
		if (x >= this.picture.width || y >= this.picture.height || x <= -count * size || y <= -size) return;
		this.ctx.fillStyle = sprites.colour(kind);
		this.ctx.fillRect(x, y, count * size, size);
		const tile = sprites.tile(kind);
		for (let k = 0; tile && k < count; k++) this.ctx.drawImage(tile, x + k * size, y);
	}

	/** @param {number} cell @param {number} kind @param {Camera} camera @param {Sprites} sprites */
	paintCell(cell, kind, camera, sprites) {
		const { size } = camera;
		const { x, y } = camera.cornerOf(cell);
		this.paintRun(kind, x, y, 1, sprites);
		if (size < SMALLEST_WITH_GRID) return;
		this.ctx.fillStyle = GRID;
		this.ctx.fillRect(x, y + size - 1, size, 1);
		this.ctx.fillRect(x + size - 1, y, 1, size);
	}
}

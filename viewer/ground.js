// The ground of the board as a picture of the whole view, in which only the
// cells that changed are painted again.

import { canvasOf, context } from "./sprites.js";

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
		for (let cell = 0; cell < cells.length; cell++) this.paintCell(cell, cells[cell], camera, sprites);
	}

	/** @param {number} cell @param {number} kind @param {Camera} camera @param {Sprites} sprites */
	paintCell(cell, kind, camera, sprites) {
		const x = camera.left + (cell % camera.cols) * camera.size;
		const y = camera.top + Math.floor(cell / camera.cols) * camera.size;
		if (x >= camera.width || y >= camera.height || x <= -camera.size || y <= -camera.size) return;
		this.ctx.drawImage(sprites.tile(kind), x, y);
	}
}

// Which part of the board is seen, and how large. All lengths are in device
// pixels; a cell is always a whole number of them, so that edges stay sharp.

const MARGIN = 8;
const LARGEST_CELL = 160;

export class Camera {
	/** @param {number} rows @param {number} cols */
	constructor(rows, cols) {
		this.rows = rows;
		this.cols = cols;
		this.width = 1;
		this.height = 1;
		/** The side of a cell. */
		this.size = 1;
		this.wanted = 1;
		this.fitted = true;
		// The point of the board in the middle of the view, in cells.
		this.x = cols / 2;
		this.y = rows / 2;
	}

	/** The side of a cell when the whole board is seen. */
	get smallest() {
		const room = Math.min((this.width - MARGIN) / this.cols, (this.height - MARGIN) / this.rows);
		return Math.max(1, Math.floor(room));
	}

	get left() {
		return Math.round(this.width / 2 - this.x * this.size);
	}

	get top() {
		return Math.round(this.height / 2 - this.y * this.size);
	}

	/** @param {number} width @param {number} height */
	resize(width, height) {
		this.width = Math.max(1, width);
		this.height = Math.max(1, height);
		if (this.fitted) this.fit();
		else this.settle();
	}

	/** Shows the whole board. */
	fit() {
		this.fitted = true;
		this.size = this.wanted = this.smallest;
		this.x = this.cols / 2;
		this.y = this.rows / 2;
	}

	/** Zooms, keeping the board under a point where it is. @param {number} factor @param {number} x @param {number} y */
	zoom(factor, x, y) {
		const [column, row] = [(x - this.left) / this.size, (y - this.top) / this.size];
		this.wanted = Math.min(Math.max(this.wanted * factor, this.smallest), Math.max(LARGEST_CELL, this.smallest));
		this.size = Math.round(this.wanted);
		if (this.size <= this.smallest) return this.fit();
		this.fitted = false;
		this.x = column - (x - this.width / 2) / this.size;
		this.y = row - (y - this.height / 2) / this.size;
		return this.settle();
	}

	/** @param {number} x @param {number} y */
	pan(x, y) {
		this.x -= x / this.size;
		this.y -= y / this.size;
		this.settle();
	}

	/** Brings a point of the board to the middle. @param {number} x @param {number} y */
	centre(x, y) {
		if (this.fitted) return;
		this.x = x;
		this.y = y;
		this.settle();
	}

	/** Keeps the board in view. */
	settle() {
		this.size = Math.max(this.size, this.smallest);
		this.x = within(this.x, this.cols, this.width / this.size);
		this.y = within(this.y, this.rows, this.height / this.size);
	}

	/** The cell under a point, or -1. @param {number} x @param {number} y */
	cellAt(x, y) {
		const column = Math.floor((x - this.left) / this.size);
		const row = Math.floor((y - this.top) / this.size);
		if (column < 0 || row < 0 || column >= this.cols || row >= this.rows) return -1;
		return row * this.cols + column;
	}

	/** Where a cell begins. @param {number} cell @returns {Point} */
	cornerOf(cell) {
		return { x: this.left + (cell % this.cols) * this.size, y: this.top + Math.floor(cell / this.cols) * this.size };
	}

	/** The middle of a cell. @param {number} cell @returns {Point} */
	middleOf(cell) {
		const { x, y } = this.cornerOf(cell);
		return { x: x + this.size / 2, y: y + this.size / 2 };
	}

	/** Changes whenever the same cell would be drawn elsewhere. */
	get signature() {
		return `${this.width} ${this.height} ${this.size} ${this.left} ${this.top}`;
	}
}

/**
 * The middle of a view of `seen` cells so that it shows no more outside the
 * board than it must.
 * @param {number} middle
 * @param {number} cells
 * @param {number} seen
 */
function within(middle, cells, seen) {
	if (seen >= cells) return cells / 2;
	const half = seen / 2 - 0.5;
	return Math.min(Math.max(middle, half), cells - half);
}

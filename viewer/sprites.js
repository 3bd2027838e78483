// Vector drawings turned into small pictures, once for every size and colour.

export class Sprites {
	/** @param {Scene} scene @param {Palette} palette @param {number} size of a cell */
	constructor(scene, palette, size) {
		this.scene = scene;
		this.palette = palette;
		this.size = size;
		/** @type {Map<number, Sprite>} */
		this.drawn = new Map();
		/** @type {(HTMLCanvasElement | null)[]} */
		this.tiles = [];
		this.reaches = scene.drawings.map(reachOf);
	}

	/**
	 * A drawing in the colours of a seat, turned to a heading.
	 * @param {number} drawing
	 * @param {number} seat
	 * @param {number} heading
	 * @returns {Sprite}
	 */
	get(drawing, seat, heading = 0) {
		const key = (drawing * 8 + seat + 1) * 8 + Math.max(heading, 0);
		let sprite = this.drawn.get(key);
		if (!sprite) {
			sprite = this.draw(drawing, seat, Math.max(heading, 0));
			this.drawn.set(key, sprite);
		}
		return sprite;
	}

	/** @param {number} drawing @param {number} seat @param {number} heading @returns {Sprite} */
	draw(drawing, seat, heading) {
		const reach = this.reaches[drawing] ?? 50;
		const half = Math.ceil((Math.max(reach, 50) * this.size) / 100) + 1;
		// The middle of a cell lies between two pixels when its side is odd.
		const middle = half + (this.size % 2) / 2;
		const picture = canvasOf(2 * half + (this.size % 2), 2 * half + (this.size % 2));
		const ctx = context(picture);
		ctx.translate(middle, middle);
		ctx.rotate((heading * Math.PI) / 4);
		ctx.scale(this.size / 100, this.size / 100);
		ctx.translate(-50, -50);
		this.paint(ctx, this.scene.drawings[drawing], seat);
		const corner = Math.floor(this.size / 2) - half;
		return { picture, x: corner, y: corner };
	}

	/** The colour of a kind of cell. @param {number} kind */
	colour(kind) {
		return this.palette.resolve(this.scene.cells[kind]?.fill ?? "seat", -1);
	}

	/** What is drawn on the ground of a kind of cell, if anything is. @param {number} kind */
	tile(kind) {
		if (this.tiles[kind] === undefined) this.tiles[kind] = this.drawTile(this.scene.cells[kind]?.drawing);
		return this.tiles[kind];
	}

	/** @param {number | undefined} drawing */
	drawTile(drawing) {
		if (drawing === undefined) return null;
		const picture = canvasOf(this.size, this.size);
		const ctx = context(picture);
		ctx.scale(this.size / 100, this.size / 100);
		this.paint(ctx, this.scene.drawings[drawing], -1);
		return picture;
	}

	/** @param {Pen} ctx @param {Drawing | undefined} drawing @param {number} seat */
	paint(ctx, drawing, seat) {
		ctx.lineJoin = "round";
		ctx.lineCap = "round";
		for (const layer of drawing?.layers ?? []) {
			const path = new Path2D(layer.d);
			if (layer.fill) {
				ctx.fillStyle = this.palette.resolve(layer.fill, seat);
				ctx.fill(path);
			}
			if (layer.stroke) {
				ctx.strokeStyle = this.palette.resolve(layer.stroke, seat);
				ctx.lineWidth = layer.width ?? 4;
				ctx.stroke(path);
			}
		}
	}
}

/** How far a drawing reaches from the middle of its cell, whichever way it is turned. @param {Drawing} drawing */
function reachOf(drawing) {
	let reach = 0;
	for (const layer of drawing.layers) {
		const line = layer.stroke ? (layer.width ?? 4) / 2 : 0;
		const numbers = (layer.d.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
		for (let k = 0; k + 1 < numbers.length; k += 2) {
			reach = Math.max(reach, Math.hypot(numbers[k] - 50, numbers[k + 1] - 50) + line);
		}
	}
	return Math.min(reach, 400);
}

/** @param {number} width @param {number} height */
export function canvasOf(width, height) {
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, width);
	canvas.height = Math.max(1, height);
	return canvas;
}

/** @param {HTMLCanvasElement} canvas */
export function context(canvas) {
	const ctx = canvas.getContext("2d");
	if (!ctx) throw new Error("this browser cannot draw");
	return ctx;
}

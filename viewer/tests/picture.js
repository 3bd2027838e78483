// Compares pictures of the board as people would: small, and with some
// tolerance, so that neither fonts nor the smoothing of edges matter.

const WIDTH = 96;

/** The board of a page as a small picture. */
export function boardOf(page) {
	return page.evaluate((width) => {
		const board = document.getElementById("board");
		const small = document.createElement("canvas");
		small.width = width;
		small.height = Math.round((width * board.height) / board.width);
		const ctx = small.getContext("2d");
		ctx.imageSmoothingQuality = "high";
		ctx.fillStyle = "#808080";
		ctx.fillRect(0, 0, small.width, small.height);
		ctx.drawImage(board, 0, 0, small.width, small.height);
		return small.toDataURL("image/png");
	}, WIDTH);
}

/** The share of points that differ clearly between two pictures. */
export function difference(blank, one, other) {
	return blank.evaluate(async (addresses) => {
		const [first, second] = await Promise.all(
			addresses.map(async (address) => {
				const image = new Image();
				image.src = address;
				await image.decode();
				const canvas = document.createElement("canvas");
				[canvas.width, canvas.height] = [image.width, image.height];
				const ctx = canvas.getContext("2d");
				ctx.drawImage(image, 0, 0);
				return ctx.getImageData(0, 0, image.width, image.height);
			}),
		);
		if (first.width !== second.width || first.height !== second.height) return 1;
		let different = 0;
		for (let at = 0; at < first.data.length; at += 4) {
			const apart = Math.max(...[0, 1, 2].map((k) => Math.abs(first.data[at + k] - second.data[at + k])));
			if (apart > 40) different += 1;
		}
		return (different * 4) / first.data.length;
	}, [one, other]);
}

// Colours: those of the game, or a set that colour-blind people can tell apart.

/** Two hues on the blue to yellow axis, each in a light and a dark version: they stay apart without red and green, and in grey. */
export const SAFE = ["#0b2fae", "#f59a2f", "#7d0f14", "#74b3f7"];

const NOBODY = { colour: "#767c88", pale: "#d9dce2" };

export class Palette {
	/** @param {SeatColours[]} seats @param {boolean} safe */
	constructor(seats, safe) {
		this.seats = safe ? SAFE.map((colour) => ({ colour, pale: mix(colour, "#ffffff", 0.66) })) : seats;
	}

	/** What a colour of the scene is for an item of this seat. @param {string} colour @param {number} seat */
	resolve(colour, seat) {
		const [, token, fixed] = /^(seat|pale)(\d?)$/.exec(colour) ?? [];
		if (!token) return colour;
		const colours = this.colours(fixed ? Number(fixed) : seat);
		return token === "seat" ? colours.colour : colours.pale;
	}

	/** @param {number} seat */
	colours(seat) {
		return this.seats[seat] ?? NOBODY;
	}

	/**
	 * The colour of a seat for lines and text on a background, made lighter or
	 * darker until it can be read.
	 * @param {number} seat
	 * @param {string} background
	 */
	readable(seat, background) {
		const towards = luminance(background) > 0.4 ? "#000000" : "#ffffff";
		const { colour } = this.colours(seat);
		let shade = colour;
		for (let share = 0; share < 1 && contrast(shade, background) < 3; share += 0.1) shade = mix(colour, towards, share);
		return shade;
	}
}

/** @param {string} colour @returns {[number, number, number]} */
export function channels(colour) {
	const number = Number.parseInt(colour.slice(1, 7), 16);
	return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

/** @param {string} from @param {string} to @param {number} share */
export function mix(from, to, share) {
	const other = channels(to);
	const mixed = channels(from).map((value, k) => Math.round(value + (other[k] - value) * share));
	return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} colour */
export function luminance(colour) {
	const [red, green, blue] = channels(colour).map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} one @param {string} other */
export function contrast(one, other) {
	const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

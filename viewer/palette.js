// Colours: those of the game, or a set that colour-blind people can tell apart.

/** How eyes with every kind of cone see a colour and eyes without one kind, after Viénot, Brettel and Mollon. */
export const EYES = {
	whole: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protan: [[0.112, 0.888, 0], [0.112, 0.888, 0], [0.004, -0.004, 1]],
	deutan: [[0.293, 0.707, 0], [0.293, 0.707, 0], [-0.021, 0.021, 1]],
	tritan: [[1, 0.153, -0.153], [0, 0.867, 0.133], [0, 0.601, 0.399]],
};

/** The shades among which the safe colours of a seat are chosen, and how far its hue may turn, in degrees. */
const SHADES = [0.16, 0.3, 0.45, 0.6, 0.75];
const TURNS = [0, -14, 14];

const NOBODY = { colour: "#767c88", pale: "#d9dce2" };

export class Palette {
	/** @param {SeatColours[]} seats @param {boolean} safe */
	constructor(seats, safe) {
		this.seats = safe ? safeColours(seats.map(({ colour }) => colour)).map((colour) => ({ colour, pale: mix(colour, "#ffffff", 0.66) })) : seats;
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

/**
 * Colours that every eye can tell apart. Each keeps the family of its hue, so
 * that nobody becomes another: a green player is a lighter or a darker green.
 * @param {string[]} colours
 */
export function safeColours(colours) {
	const choices = colours.map((colour) => TURNS.flatMap((turn) => SHADES.map((shade) => looks(shaded(colour, turn, shade)))));
	/** @type {{worst: number, chosen: Look[]}} */
	let best = { worst: -1, chosen: [] };
	const choose = (/** @type {Look[]} */ chosen, /** @type {number} */ worst) => {
		if (worst <= best.worst) return;
		if (chosen.length === colours.length) best = { worst, chosen };
		else for (const next of choices[chosen.length]) choose([...chosen, next], Math.min(worst, ...chosen.map((one) => apart(one, next))));
	};
	choose([], Number.POSITIVE_INFINITY);
	return best.chosen.map(({ colour }) => colour);
}

/** @typedef {{colour: string, seen: number[][]}} Look a colour, and what each kind of eye sees */

/** @param {string} colour @returns {Look} */
export function looks(colour) {
	const linear = channels(colour).map((value) => (value / 255) ** 2.2);
	const through = (/** @type {number[]} */ row) => Math.max(0, row.reduce((sum, part, k) => sum + part * linear[k], 0)) ** (1 / 2.2) * 255;
	return { colour, seen: Object.values(EYES).map((eye) => eye.map(through)) };
}

/** How far two colours are apart for the eye that sees least of it. @param {Look} one @param {Look} other */
export function apart(one, other) {
	return Math.min(...one.seen.map((seen, eye) => Math.hypot(...seen.map((value, k) => value - other.seen[eye][k]))));
}

/** A colour with its hue turned by some degrees, in another shade. @param {string} colour @param {number} turn @param {number} shade */
function shaded(colour, turn, shade) {
	const tone = (hueOf(colour) + turn + 360) / 30;
	const chroma = 0.9 * Math.min(shade, 1 - shade);
	const channel = (/** @type {number} */ from) => {
		const at = (from + tone) % 12;
		return Math.round(255 * (shade - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
	};
	return `#${[0, 8, 4].map((from) => channel(from).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} colour @returns {number} in degrees */
export function hueOf(colour) {
	const [red, green, blue] = channels(colour);
	const span = Math.max(red, green, blue) - Math.min(red, green, blue) || 1;
	if (red >= green && red >= blue) return (60 * ((green - blue) / span) + 360) % 360;
	return green >= blue ? 60 * ((blue - red) / span + 2) : 60 * ((red - green) / span + 4);
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

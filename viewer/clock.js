// The moment of the match that is shown, and how it moves on.

/** How long a single step takes to be shown, in milliseconds. */
const STEP = 180;

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];

export class Clock {
	/**
	 * @param {number} last the last round
	 * @param {number} ticks rounds per second at normal speed
	 * @param {() => void} changed called whenever something has to be drawn
	 */
	constructor(last, ticks, changed) {
		this.last = last;
		this.ticks = ticks > 0 ? ticks : 3;
		this.changed = changed;
		this.speed = 1;
		this.animated = true;
		this.playing = false;
		/** The moment in rounds, with a fraction while playing. */
		this.position = 0;
		// A step forward is shown as a short movement that ends at the position.
		this.behind = 0;
		/** @type {number | null} */
		this.before = null;
	}

	get round() {
		return Math.floor(this.position);
	}

	get moving() {
		return this.playing || this.behind > 0;
	}

	/** What to draw: a round, and how much of the next is gone. */
	get moment() {
		if (!this.animated) return { round: this.round, share: 0 };
		const at = this.position - this.behind;
		const round = Math.floor(at);
		return { round, share: at - round };
	}

	play() {
		if (this.round >= this.last) this.position = 0;
		this.playing = this.last > 0;
		this.behind = 0;
		this.before = null;
		this.changed();
	}

	pause() {
		if (this.playing) this.position = this.round;
		this.playing = false;
		this.behind = 0;
		this.changed();
	}

	toggle() {
		if (this.playing) this.pause();
		else this.play();
	}

	/** Goes to a round; a match that plays goes on from there. @param {number} round */
	seek(round) {
		this.position = Math.max(0, Math.min(this.last, Math.round(round) || 0));
		this.behind = 0;
		this.changed();
	}

	/** Pauses, and goes some rounds on or back. @param {number} rounds */
	step(rounds) {
		const from = this.round;
		this.playing = false;
		this.seek(from + rounds);
		if (this.animated && rounds === 1 && this.position > from) {
			this.behind = 1;
			this.before = null;
			this.changed();
		}
	}

	/** @param {number} speed */
	setSpeed(speed) {
		this.speed = speed;
		this.changed();
	}

	/** Faster for 1, slower for -1. @param {number} by */
	shift(by) {
		const at = SPEEDS.indexOf(this.speed) + by;
		this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))]);
	}

	/** Lets time pass. @param {number} now in milliseconds */
	advance(now) {
		const passed = this.before === null ? 0 : Math.min(now - this.before, 250);
		this.before = this.moving ? now : null;
		if (this.behind > 0) this.behind = Math.max(0, this.behind - passed / STEP);
		if (!this.playing) return;
		this.position += (passed / 1000) * this.ticks * this.speed;
		if (this.position >= this.last) {
			this.position = this.last;
			this.pause();
		}
	}
}

// The scroll bar, the round and the speed. The buttons beside them are
// actions like all others.

import { SPEEDS } from "./clock.js";
import { find, setText } from "./dom.js";
import { icon } from "./icons.js";
import { label, number, text } from "./texts.js";

export class Controls {
	/** @param {() => Clock | undefined} clock of the match that is open */
	constructor(clock) {
		this.clock = clock;
		this.playButton = find("play", HTMLButtonElement);
		this.animation = find("animation", HTMLButtonElement);
		this.slider = find("slider", HTMLInputElement);
		this.round = find("round", HTMLInputElement);
		this.rounds = find("rounds");
		this.speed = find("speed", HTMLSelectElement);
		this.speed.append(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed))));
		this.shown = "";
		this.slider.addEventListener("input", () => {
			clock()?.pause();
			clock()?.seek(Number(this.slider.value));
		});
		this.round.addEventListener("change", () => clock()?.seek(Number(this.round.value)));
		// Once the round is typed, keys steer the match again.
		this.round.addEventListener("keydown", ({ key }) => {
			if (key === "Escape") this.round.value = String(clock()?.round ?? 0);
			if (key === "Enter" || key === "Escape") this.round.blur();
		});
		this.round.addEventListener("focus", () => this.round.select());
		this.speed.addEventListener("change", () => {
			clock()?.setSpeed(Number(this.speed.value));
			this.speed.blur();
		});
	}

	/** Shows what the clock says. @param {number} rounds of the whole match */
	update(rounds) {
		const clock = this.clock();
		if (!clock) return;
		this.showState(clock);
		const { round, last } = clock;
		this.slider.max = String(last);
		if (this.slider.value !== String(round)) this.slider.value = String(round);
		this.slider.style.setProperty("--share", String(round / Math.max(1, last)));
		this.slider.setAttribute("aria-valuetext", text("roundOf", { round, last: rounds }));
		if (document.activeElement !== this.round || clock.playing) this.round.value = String(round);
		setText(this.rounds, `/ ${number(rounds)}`);
	}

	/** @param {Clock} clock */
	showState(clock) {
		const state = `${clock.playing} ${clock.speed} ${clock.animated} ${document.documentElement.lang}`;
		if (this.shown === state) return;
		this.shown = state;
		const action = clock.playing ? "pause" : "play";
		this.playButton.replaceChildren(icon(action));
		label(this.playButton, text(action), text("keySpace"));
		this.speed.value = String(clock.speed);
		this.animation.setAttribute("aria-pressed", String(clock.animated));
	}
}

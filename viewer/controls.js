// The buttons and the scroll bar that move through the match.

import { SPEEDS } from "./clock.js";
import { find, setText } from "./dom.js";
import { icon } from "./icons.js";
import { label, number, text } from "./texts.js";

/** @typedef {import("./clock.js").Clock} Clock */

export class Controls {
  /** @param {() => Clock | undefined} clock of the match that is open */
  constructor(clock) {
    this.clock = clock;
    this.playButton = find("play", HTMLButtonElement);
    this.animation = find("animation", HTMLButtonElement);
    this.slider = find("slider", HTMLInputElement);
    this.round = find("round", HTMLInputElement);
    this.rounds = find("rounds", HTMLElement);
    this.speed = find("speed", HTMLSelectElement);
    this.speed.append(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed))));
    this.shown = "";
    this.listen();
  }

  listen() {
    /** @type {[string, (clock: Clock) => void][]} */
    const buttons = [
      ["play", (clock) => clock.toggle()],
      ["start", (clock) => clock.seek(0)],
      ["end", (clock) => clock.seek(clock.last)],
      ["back", (clock) => clock.step(-1)],
      ["forward", (clock) => clock.step(1)],
      ["back10", (clock) => clock.step(-10)],
      ["forward10", (clock) => clock.step(10)],
    ];
    for (const [id, act] of buttons) find(id, HTMLButtonElement).addEventListener("click", () => this.with(act));
    this.slider.addEventListener("input", () =>
      this.with((clock) => {
        clock.pause();
        clock.seek(Number(this.slider.value));
      }),
    );
    this.round.addEventListener("change", () => this.with((clock) => clock.seek(Number(this.round.value))));
    this.round.addEventListener("focus", () => this.round.select());
    this.speed.addEventListener("change", () =>
      this.with((clock) => {
        clock.speed = Number(this.speed.value);
        clock.changed();
      }),
    );
  }

  /** @param {(clock: Clock) => void} act */
  with(act) {
    const clock = this.clock();
    if (clock) act(clock);
  }

  /** Shows what the clock says. @param {number} rounds of the whole match */
  update(rounds) {
    this.with((clock) => {
      this.showState(clock);
      const { round, last } = clock;
      if (this.slider.max !== String(last)) this.slider.max = String(last);
      if (this.slider.value !== String(round)) this.slider.value = String(round);
      this.slider.setAttribute("aria-valuetext", text("roundOf", { round, last }));
      if (document.activeElement !== this.round || clock.playing) this.round.value = String(round);
      setText(this.rounds, `/ ${number(rounds)}`);
    });
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

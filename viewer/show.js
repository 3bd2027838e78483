// One open match: the frames, the clock, the board and the panels around it.

import { Board } from "./board.js";
import { happeningsOf, scoresOf } from "./chronicle.js";
import { Clock } from "./clock.js";
import { find, make, setText, swatch } from "./dom.js";
import { Frames, itemsAt } from "./frames.js";
import { isFeatured } from "./host.js";
import { describeCell, Inspector, nameOf, placeOf } from "./inspector.js";
import { Palette } from "./palette.js";
import { Players, rankingOf } from "./players.js";
import { isDark } from "./settings.js";
import { label, number, sceneText, text } from "./texts.js";

/** Between two frames of a match on show, in milliseconds. */
const FEATURED_PAUSE = 40;

export class Show {
	/** @param {Scene} scene @param {Settings} settings @param {Panels} panels */
	constructor(scene, settings, panels) {
		this.scene = scene;
		this.settings = settings;
		this.panels = panels;
		this.frames = new Frames(scene);
		this.palette = new Palette(scene.seats, settings.safe);
		this.canvas = find("board", HTMLCanvasElement);
		this.board = new Board(this.canvas, scene, this.palette, settings);
		this.clock = new Clock(this.frames.last, scene.ticks, () => this.schedule());
		/** Whether chart and log are there; they come after the first frame. */
		this.complete = false;
		/** @type {Look} */
		this.look = { chosen: -1, follow: false, cell: -1, hover: -1 };
		this.request = 0;
		/** What the panels show; they change by the round, the board by the moment. */
		this.told = "";
		this.outcomeDismissed = false;
		this.players = new Players(scene, this.palette);
		this.inspector = new Inspector(scene, this.palette, (id) => this.choose(id));
		this.canvas.closest("main")?.style.setProperty("--aspect", String(scene.cols / scene.rows));
		this.dress();
	}

	/** Takes over colours, language and what is to be shown. */
	restyle() {
		const { scene, settings } = this;
		this.palette = new Palette(scene.seats, settings.safe);
		this.board.recolour(this.palette);
		this.players = new Players(scene, this.palette);
		this.inspector = new Inspector(scene, this.palette, (id) => this.choose(id));
		this.dress();
		this.told = "";
		if (this.complete) this.completePanels();
		this.schedule();
	}

	dress() {
		const { scene } = this;
		this.clock.animated = this.settings.animation;
		setText(find("title"), scene.title);
		document.title = `${scene.title} · Ludus`;
		label(this.canvas, text("boardHint", { game: scene.title }));
	}

	/** Shows what the whole match tells. */
	completePanels() {
		const { scene, settings, panels, palette } = this;
		const happenings = happeningsOf(scene);
		panels.chart.load(scene, scoresOf(scene), happenings, palette, isDark(settings));
		panels.log.load(scene, happenings, palette);
		this.complete = true;
		this.showOutput();
		this.tell();
	}

	/** Shows what players wrote, once that is known. */
	showOutput() {
		this.panels.output.show(this.scene, this.palette);
		this.panels.output.update(this.clock.round);
	}

	/** The board after the round that is shown. */
	get frame() {
		return this.frames.frame(this.clock.round);
	}

	/** Fits the board to its place on the screen. @param {ResizeObserverSize} [exact] in device pixels, where the browser knows */
	resize(exact) {
		const ratio = devicePixelRatio || 1;
		const { width, height } = this.canvas.getBoundingClientRect();
		if (width === 0) return;
		// A browser that plays another device gives its own pixels.
		const known = exact && Math.abs(exact.inlineSize - width * ratio) < 1 ? exact : null;
		this.board.resize(known?.inlineSize ?? Math.round(width * ratio), known?.blockSize ?? Math.round(height * ratio), ratio);
		this.schedule();
	}

	schedule() {
		if (this.request === 0) this.request = requestAnimationFrame((now) => this.tick(now));
	}

	/** @param {number} now */
	tick(now) {
		this.request = 0;
		this.clock.advance(now);
		this.draw();
		if (!this.clock.moving) return;
		// What is only on show leaves most of the time to the page around it.
		if (isFeatured) setTimeout(() => this.schedule(), FEATURED_PAUSE);
		else this.schedule();
	}

	draw() {
		const { round, share } = this.clock.moment;
		const frame = this.frames.frame(round);
		this.board.draw(frame, share > 0 ? this.frames.frame(round + 1) : frame, share, this.look);
		this.panels.controls.update(this.scene.rounds);
		const told = `${this.clock.round} ${this.look.chosen} ${this.look.cell} ${this.look.follow}`;
		if (this.told === told) return;
		this.told = told;
		this.tell();
	}

	/** Brings the panels up to date. */
	tell() {
		const { frame, look, scene } = this;
		const facts = [text("seed", { seed: scene.seed }), scene.judged && text("judged")];
		setText(find("subtitle"), facts.filter(Boolean).join(" · "));
		setText(find("mood"), sceneText(scene.moods[frame.mood]?.name));
		this.players.update(frame);
		this.inspector.update(frame, look.chosen, look.cell, look.follow);
		this.tellOutcome();
		if (!this.complete) return;
		this.panels.chart.update(frame.round);
		this.panels.log.update(frame.round, look.chosen);
		this.panels.output.update(frame.round);
	}

	/** Says who has won, at the end of a match that is whole. */
	tellOutcome() {
		const { clock, scene, palette } = this;
		const over = clock.round === scene.rounds && scene.damage === null;
		if (!over) this.outcomeDismissed = false;
		find("outcome").hidden = !over || this.outcomeDismissed;
		if (!over) return;
		const { scores } = this.frame;
		const first = rankingOf(scores).filter(({ place }) => place === 1).map(({ seat }) => seat);
		const score = number(scores[first[0]]);
		const name = (/** @type {number} */ seat) => make("strong", "who", swatch(palette.colours(seat).colour), scene.names[seat] ?? "");
		const names = first.flatMap((seat, k) => (k === 0 ? [name(seat)] : [k + 1 < first.length ? ", " : ` ${text("and")} `, name(seat)]));
		const parts = text(first.length > 1 ? "tied" : "wins", { score }).split(/\{names?\}/);
		find("winners").replaceChildren(parts[0], ...names, parts[1] ?? "");
	}

	dismissOutcome() {
		this.outcomeDismissed = true;
		this.tellOutcome();
	}

	/** Stops for good. */
	close() {
		this.clock.pause();
		cancelAnimationFrame(this.request);
		this.request = -1;
	}

	/** @param {number} id of an item @param {boolean} [follow] */
	choose(id, follow = this.look.follow) {
		Object.assign(this.look, { chosen: id, cell: -1, follow: follow && id !== -1 });
		this.schedule();
	}

	/** Inspects what is in a cell: its items one after the other, those on top first, then the cell. @param {number} cell */
	inspect(cell) {
		const layer = (/** @type {Item} */ item) => this.scene.kinds[item.kind]?.layer ?? 0;
		const items = itemsAt(this.frame, cell).sort((a, b) => layer(b) - layer(a));
		const ids = items.map((item) => item.id);
		const at = ids.indexOf(this.look.chosen);
		if (at + 1 < ids.length) this.choose(ids[at + 1], true);
		else this.chooseCell(cell);
	}

	/** @param {number} cell */
	chooseCell(cell) {
		Object.assign(this.look, { chosen: -1, cell, follow: false });
		this.schedule();
	}

	/** Shows the round of an event, and what it is about. @param {Happening} happening */
	goTo({ round, item, cell }) {
		this.clock.pause();
		this.clock.seek(round);
		if (this.frame.items.has(item)) this.choose(item, true);
		else this.chooseCell(cell);
	}

	/** Goes to the next (1) or previous (-1) unit of a player. @param {number} way @returns {string} what it is */
	nextUnit(way) {
		const units = [...this.frame.items.values()].filter((item) => item.seat >= 0 && item.id >= 0).sort((a, b) => a.id - b.id);
		if (units.length === 0) return text("empty");
		const at = units.findIndex((item) => item.id === this.look.chosen);
		const unit = units[at < 0 ? (way > 0 ? 0 : units.length - 1) : (at + way + units.length) % units.length];
		this.choose(unit.id, true);
		const life = unit.life < 0 ? [] : [`${text("life")} ${number(Math.ceil(unit.life / 10))}%`];
		return [nameOf(this.scene, unit), this.scene.names[unit.seat], placeOf(this.scene, unit.cell), ...life].join(", ");
	}

	/** Moves the cell that is inspected. @param {number} rows @param {number} cols @returns {string} what is there */
	moveCursor(rows, cols) {
		const { scene, look, frame } = this;
		const from = frame.items.get(look.chosen)?.cell ?? look.cell;
		const middle = Math.floor(scene.rows / 2) * scene.cols + Math.floor(scene.cols / 2);
		const cell = from < 0 ? middle : stepTo(scene, from, rows, cols);
		this.chooseCell(cell);
		this.board.camera.centre((cell % scene.cols) + 0.5, Math.floor(cell / scene.cols) + 0.5);
		return describeCell(scene, frame, cell);
	}

	/** The round and who leads, for those who listen. */
	summary() {
		const { scores } = this.frame;
		const { seat } = rankingOf(scores)[0];
		const round = text("roundOf", { round: this.clock.round, last: this.scene.rounds });
		return `${round}. ${text("leader", { name: this.scene.names[seat] ?? "", score: number(scores[seat]) })}`;
	}
}

/** @param {Scene} scene @param {number} cell @param {number} rows @param {number} cols */
function stepTo(scene, cell, rows, cols) {
	const row = Math.min(scene.rows - 1, Math.max(0, Math.floor(cell / scene.cols) + rows));
	const column = Math.min(scene.cols - 1, Math.max(0, (cell % scene.cols) + cols));
	return row * scene.cols + column;
}

// Starts the viewer, and connects the page with the match that is open.

import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { find, setText } from "./dom.js";
import { canOpen, loadScene, openFile, watchFiles } from "./files.js";
import { host, isFeatured, listenToKeys, outputAddress } from "./host.js";
import { icon } from "./icons.js";
import { describeCell } from "./inspector.js";
import { actionOf, helpRows, keyOf } from "./keys.js";
import { fillLegend } from "./legend.js";
import { Log } from "./log.js";
import { watchOptions } from "./options.js";
import { Output } from "./output.js";
import { watchPointers } from "./pointer.js";
import { loadSettings } from "./settings.js";
import { Show } from "./show.js";
import { label, sceneText, speak, text, translatePage } from "./texts.js";

/** The match comes while the page is made ready. */
const coming = loadScene();
const settings = loadSettings();
/** @type {Show | null} */
let show = null;
let firstFrame = 0;
let said = "";

const panels = {
	chart: new Chart((round) => show?.clock.seek(round)),
	log: new Log((happening) => show?.goTo(happening)),
	controls: new Controls(() => show?.clock),
	output: new Output((round) => show?.clock.seek(round)),
};
const board = find("board", HTMLCanvasElement);
const picker = find("file", HTMLInputElement);
const help = find("help", HTMLDialogElement);
const legend = find("legend", HTMLDialogElement);
const hud = find("hud");
const live = find("live");
const closeButton = find("close", HTMLButtonElement);

/** @param {"loading" | "ready" | "empty"} state */
function setState(state) {
	document.body.dataset.state = state;
	// Where no other match can be opened, closing this one leads nowhere.
	closeButton.hidden = state !== "ready" || !(canOpen() || document.body.dataset.close);
	find("open").hidden = !canOpen();
}

/** @param {Scene} scene */
function present(scene) {
	show?.close();
	setState("ready");
	show = new Show(scene, settings, panels);
	show.clock.seek(roundInAddress() ?? 0);
	showDamage();
	show.resize();
	show.draw();
	requestAnimationFrame(() => {
		firstFrame ||= performance.now();
		if (!isFeatured) setTimeout(() => show?.completePanels());
		if (isFeatured && !matchMedia("(prefers-reduced-motion: reduce)").matches) show?.clock.play();
		if (outputAddress) panels.output.load(outputAddress).then(() => show?.showOutput());
	});
}

function showDamage() {
	if (!show?.scene.damage) return notify("");
	const { rounds, damage } = show.scene;
	return notify(text("damaged", { rounds: show.frames.last, total: rounds, damage }));
}

/** @param {string} words */
function notify(words) {
	setText(find("notice-text"), words);
	find("notice").hidden = words === "";
}

/** The page without a match, and why if something went wrong. @param {string} [problem] */
function presentNothing(problem = "") {
	show?.close();
	show = null;
	setState("empty");
	notify("");
	setText(find("title"), "Ludus");
	setText(find("subtitle"), "");
	setText(find("mood"), "");
	setText(find("welcome-title"), text(problem ? "failed" : "welcome"));
	setText(find("welcome-text"), problem || text(canOpen() ? "welcomeHint" : "fromDisk"));
	find("choose", HTMLButtonElement).hidden = !canOpen();
}

/** What went wrong, in words. @param {any} error */
function problemOf(error) {
	return error.message ?? String(error);
}

/** @param {File} file */
async function open(file) {
	try {
		if (!show) setState("loading");
		const scene = await openFile(file);
		history.replaceState(null, "", location.pathname + location.search);
		present(scene);
	} catch (error) {
		// A file that cannot be read leaves the match that is open as it is.
		if (show) notify(`${text("failed")}: ${problemOf(error)}`);
		else presentNothing(problemOf(error));
	}
}

function roundInAddress() {
	const found = /(?:^#|&)r=(\d+)/.exec(host.location.hash);
	return found ? Number(found[1]) : null;
}

/** Keeps the address at the round, without filling the history, and says the round when it rests. */
function keepUp() {
	if (!show) return;
	const hash = `#r=${show.clock.round}`;
	const known = host.location.hash;
	if (known !== hash && (show.clock.round > 0 || known !== "")) host.history.replaceState(null, "", hash);
	const words = show.clock.playing ? text("playing") : show.summary();
	if (words === said) return;
	said = words;
	live.textContent = words;
}

/** Names every button and gives it its picture. */
function dressButtons() {
	for (const button of document.querySelectorAll("button[data-do]")) {
		const action = button.getAttribute("data-do") ?? "";
		if (button.hasAttribute("data-text")) continue;
		button.replaceChildren(icon(action));
		label(button, text(/** @type {TextKey} */ (action)), keyOf(action));
	}
}

/** @param {number} factor @param {number} x @param {number} y in CSS pixels */
function zoom(factor, x = board.clientWidth / 2, y = board.clientHeight / 2) {
	show?.board.camera.zoom(factor, x * show.board.ratio, y * show.board.ratio);
	show?.schedule();
}

/** Goes to a key event. @param {number} way */
function jump(way) {
	const happening = panels.log.neighbour(way);
	if (happening) show?.goTo(happening);
}

/** Tells those who listen. @param {string | undefined} words */
function say(words) {
	live.textContent = words ?? "";
}

/** @type {{[action in Action]?: () => void}} */
const actions = {
	play: () => show?.clock.toggle(),
	start: () => show?.clock.seek(0),
	end: () => show?.clock.seek(show.clock.last),
	back: () => show?.clock.step(-1),
	forward: () => show?.clock.step(1),
	back10: () => show?.clock.step(-10),
	forward10: () => show?.clock.step(10),
	faster: () => show?.clock.shift(1),
	slower: () => show?.clock.shift(-1),
	animation: () => options.toggle("animation"),
	drawn: () => options.toggle("drawn"),
	zoomIn: () => zoom(1.4),
	zoomOut: () => zoom(1 / 1.4),
	fit: () => {
		show?.board.camera.fit();
		show?.schedule();
	},
	fullScreen: () => {
		const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
		// A browser may refuse, for instance inside a frame; the page then stays as it is.
		done.catch(() => undefined);
	},
	help: () => {
		find("help-keys").replaceChildren(...helpRows());
		help.showModal();
	},
	legend: () => {
		if (!show) return;
		setText(find("legend-game"), sceneText(show.scene.help));
		fillLegend(show.scene, show.palette);
		legend.showModal();
	},
	dismissOutcome: () => show?.dismissOutcome(),
	open: () => {
		if (canOpen()) picker.click();
		else notify(text("fromDisk"));
	},
	close: () => {
		const { close } = document.body.dataset;
		if (close) location.assign(close);
		else presentNothing();
	},
	dismiss: () => notify(""),
	follow: () => show?.choose(show.look.chosen, !show.look.follow),
	nextEvent: () => jump(1),
	previousEvent: () => jump(-1),
	nextUnit: () => say(show?.nextUnit(1)),
	previousUnit: () => say(show?.nextUnit(-1)),
	letGo: () => show?.chooseCell(-1),
	inspectCell: () => show?.inspect(show.frame.items.get(show.look.chosen)?.cell ?? show.look.cell),
	cursorUp: () => say(show?.moveCursor(-1, 0)),
	cursorDown: () => say(show?.moveCursor(1, 0)),
	cursorLeft: () => say(show?.moveCursor(0, -1)),
	cursorRight: () => say(show?.moveCursor(0, 1)),
};

listenToKeys((event) => {
	const action = actionOf(event);
	if (!action) return;
	event.preventDefault();
	actions[action]?.();
});
addEventListener("click", (event) => {
	// A click beside a window that is open closes it.
	if (event.target instanceof HTMLDialogElement) event.target.close();
	const button = event.target instanceof Element ? event.target.closest("button") : null;
	if (!button) return;
	actions[/** @type {Action} */ (button.dataset.do)]?.();
	// After a click, unlike after a key, the space bar is to play and not to press the button again.
	if (event.detail > 0) button.blur();
});

/** @param {number} x @param {number} y in CSS pixels */
function cellAt(x, y) {
	return show ? show.board.camera.cellAt(x * show.board.ratio, y * show.board.ratio) : -1;
}

/** @param {number} cell */
function point(cell) {
	if (!show || show.look.hover === cell) return;
	show.look.hover = cell;
	hud.classList.toggle("on", cell >= 0);
	if (cell >= 0) setText(hud, describeCell(show.scene, show.frame, cell));
	show.schedule();
}

watchPointers(board, {
	tap: (x, y) => show?.inspect(cellAt(x, y)),
	pan: (x, y) => {
		if (!show) return;
		show.look.follow = false;
		show.board.camera.pan(x * show.board.ratio, y * show.board.ratio);
		show.schedule();
	},
	zoom,
	hover: (x, y) => point(cellAt(x, y)),
	leave: () => point(-1),
});
watchFiles(picker, open);
new ResizeObserver(([entry]) => show?.resize(entry.devicePixelContentBoxSize?.[0])).observe(board);
host.addEventListener("hashchange", () => show?.clock.seek(roundInAddress() ?? show.clock.round));

function restyle() {
	speak(settings.language);
	translatePage();
	dressButtons();
	if (show) show.restyle();
	if (show) showDamage();
	else if (document.body.dataset.state === "empty") presentNothing();
}

const options = watchOptions(settings, restyle);
restyle();
setInterval(keepUp, 700);
// Most matches are there before it is worth saying that they are not.
setTimeout(() => {
	if (!document.body.dataset.state) setState("loading");
}, 400);
coming.then(
	(scene) => (scene ? present(scene) : presentNothing()),
	(error) => presentNothing(problemOf(error)),
);

/**
 * The viewer for scripts of the page. `frameCost()` is the median script time
 * of drawing and `firstFrame` the time since navigation, in milliseconds;
 * `place(cell)` is the middle of a cell on the page, in pixels.
 */
const ludus = {
	seek: (/** @type {number} */ round) => show?.clock.seek(round),
	play: () => show?.clock.play(),
	pause: () => show?.clock.pause(),
	get round() {
		return show?.clock.round ?? -1;
	},
	get firstFrame() {
		return firstFrame;
	},
	frameCost: () => show?.board.cost ?? 0,
	place: (/** @type {number} */ cell) => {
		if (!show) return null;
		const { x, y } = show.board.camera.middleOf(cell);
		const box = board.getBoundingClientRect();
		return { x: box.left + x / show.board.ratio, y: box.top + y / show.board.ratio };
	},
};
Object.assign(window, { ludus });

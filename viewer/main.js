// Starts the viewer, and connects the page with the match that is open.

import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { find, setText } from "./dom.js";
import { canOpen, loadScene, openFile, watchFiles } from "./files.js";
import { drawIcons } from "./icons.js";
import { describeCell } from "./inspector.js";
import { actionOf, helpRows } from "./keys.js";
import { Log } from "./log.js";
import { watchPointers } from "./pointer.js";
import { loadSettings } from "./settings.js";
import { Show } from "./show.js";
import { sceneText, speak, text, translatePage } from "./texts.js";
import { watchOptions } from "./options.js";

/** @typedef {import("./keys.js").Action} Action */

const settings = loadSettings();
/** @type {Show | null} */
let show = null;
let firstFrame = 0;

const panels = {
  chart: new Chart((round) => show?.clock.seek(round)),
  log: new Log((happening) => {
    show?.clock.pause();
    show?.clock.seek(happening.round);
    if (show?.frame.items.has(happening.item)) show.choose(happening.item, true);
    else if (happening.cell >= 0) show?.chooseCell(happening.cell);
  }),
  controls: new Controls(() => show?.clock),
};
const board = find("board", HTMLCanvasElement);
const picker = find("file", HTMLInputElement);
const help = find("help", HTMLDialogElement);
const hud = find("hud", HTMLElement);
const live = find("live", HTMLElement);

/** @param {"loading" | "ready" | "empty"} state */
function setState(state) {
  document.body.dataset.state = state;
}

/** Shows a match. @param {import("./scene.js").Scene} scene */
function present(scene) {
  show?.close();
  setState("ready");
  show = new Show(scene, settings, panels);
  find("close", HTMLButtonElement).hidden = false;
  show.clock.seek(roundInAddress() ?? 0);
  show.resize();
  show.draw();
  firstFrame ||= performance.now();
  writeHelp();
  showDamage();
}

function showDamage() {
  const { scene, film } = show ?? {};
  if (!scene || !film || !scene.damage) return notify("");
  return notify(text("damaged", { rounds: film.last, total: scene.rounds, damage: scene.damage }));
}

/** @param {string} words */
function notify(words) {
  setText(find("notice-text", HTMLElement), words);
  find("notice", HTMLElement).hidden = words === "";
  show?.resize();
}

/** The page without a match, and why if something went wrong. @param {string} [problem] */
function presentNothing(problem = "") {
  show?.close();
  show = null;
  setState("empty");
  notify("");
  find("close", HTMLButtonElement).hidden = true;
  setText(find("title", HTMLElement), "Ludus");
  setText(find("subtitle", HTMLElement), "");
  const openable = canOpen();
  setText(find("welcome-title", HTMLElement), text(problem ? "failed" : "welcome"));
  setText(find("welcome-text", HTMLElement), problem || (openable ? text("welcomeHint") : text("fromDisk")));
  find("choose", HTMLButtonElement).hidden = !openable;
}

/** @param {File} file */
async function open(file) {
  const before = show;
  try {
    if (canOpen()) setState("loading");
    const scene = await openFile(file);
    history.replaceState(null, "", location.pathname + location.search);
    present(scene);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!before) return presentNothing(problem);
    // A file that cannot be read leaves the match that is open as it is.
    setState("ready");
    notify(`${text("failed")}: ${problem}`);
  }
}

/** @returns {number | null} */
function roundInAddress() {
  const found = /(?:^#|&)r=(\d+)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** Keeps the address at the round, without filling the history. */
function keepAddress() {
  if (!show) return;
  const hash = `#r=${show.clock.round}`;
  if (location.hash === hash || (show.clock.round === 0 && location.hash === "")) return;
  history.replaceState(null, "", hash);
}

/** Says something to those who listen, and the address to those who copy it. */
let spokenLast = "";
setInterval(() => {
  if (!show) return;
  keepAddress();
  const words = show.clock.playing ? text("playing") : show.summary();
  if (words === spokenLast) return;
  spokenLast = words;
  live.textContent = words;
}, 700);

/** @param {string} words */
function announce(words) {
  live.textContent = words;
}

function writeHelp() {
  setText(find("help-game", HTMLElement), sceneText(show?.scene.help));
  find("help-keys", HTMLElement).replaceChildren(...helpRows());
}

function toggleFullScreen() {
  // A browser may refuse, for instance inside a frame; the page then stays as it is.
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.catch(() => undefined);
}

function chooseFile() {
  if (canOpen()) picker.click();
  else if (show) notify(text(location.protocol === "file:" ? "fromDisk" : "onlyWatch"));
}

/** @param {number} factor */
function zoom(factor) {
  show?.board.camera.zoom(factor);
  show?.schedule();
}

function fit() {
  show?.board.camera.fit();
  show?.schedule();
}

/** @param {number} way */
function jump(way) {
  const happening = panels.log.neighbour(way);
  if (happening) panels.log.jump(happening);
}

/** @param {number} rows @param {number} cols */
function moveCursor(rows, cols) {
  if (show) announce(show.moveCursor(rows, cols));
}

/** @type {Record<Action, () => void>} */
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
  zoomIn: () => zoom(1.4),
  zoomOut: () => zoom(1 / 1.4),
  fit,
  fullScreen: toggleFullScreen,
  help: () => help.showModal(),
  open: chooseFile,
  nextEvent: () => jump(1),
  previousEvent: () => jump(-1),
  nextUnit: () => show && announce(show.nextUnit(1)),
  previousUnit: () => show && announce(show.nextUnit(-1)),
  letGo: () => show?.letGo(),
  inspectCell: () => {
    if (show) show.inspect(show.frame.items.get(show.look.chosen)?.cell ?? show.look.cell);
  },
  cursorUp: () => moveCursor(-1, 0),
  cursorDown: () => moveCursor(1, 0),
  cursorLeft: () => moveCursor(0, -1),
  cursorRight: () => moveCursor(0, 1),
};

addEventListener("keydown", (event) => {
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  actions[action]();
});

for (const [id, action] of /** @type {[string, Action][]} */ ([
  ["open", "open"], ["choose", "open"], ["full", "fullScreen"], ["show-help", "help"], ["animation", "animation"],
  ["zoom-in", "zoomIn"], ["zoom-out", "zoomOut"], ["zoom-fit", "fit"], ["inspector-close", "letGo"],
])) {
  find(id, HTMLButtonElement).addEventListener("click", () => actions[action]());
}
find("close", HTMLButtonElement).addEventListener("click", () => presentNothing());
find("notice-close", HTMLButtonElement).addEventListener("click", () => notify(""));
find("follow", HTMLButtonElement).addEventListener("click", () => show?.choose(show.look.chosen, !show.look.follow));

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
  zoom: (factor, x, y) => {
    show?.board.camera.zoom(factor, x * show.board.ratio, y * show.board.ratio);
    show?.schedule();
  },
  hover: (x, y) => point(cellAt(x, y)),
  leave: () => point(-1),
});
watchFiles(picker, open);
new ResizeObserver(() => show?.resize()).observe(board);
addEventListener("hashchange", () => {
  const round = roundInAddress();
  if (round !== null) show?.clock.seek(round);
});

function restyle() {
  speak(settings.language);
  translatePage();
  writeHelp();
  if (show) {
    show.restyle();
    showDamage();
  } else if (document.body.dataset.state === "empty") {
    presentNothing();
  }
}

const options = watchOptions(settings, restyle);
speak(settings.language);
drawIcons();
translatePage();
loadScene().then(
  (scene) => (scene ? present(scene) : presentNothing()),
  (error) => presentNothing(error instanceof Error ? error.message : String(error)),
);

/**
 * The viewer for scripts of the page: `seek(round)`, `play()`, `pause()`, the
 * `round` shown, `frameCost()` (median script time of drawing, in
 * milliseconds), `firstFrame` (when the first one was drawn, in milliseconds
 * since navigation, 0 before), and `place(cell)` (the middle of a cell on the
 * page, in pixels).
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
    const { left, top, size, cols } = show.board.camera;
    const box = board.getBoundingClientRect();
    const { ratio } = show.board;
    const x = left + ((cell % cols) + 0.5) * size;
    const y = top + (Math.floor(cell / cols) + 0.5) * size;
    return { x: box.left + x / ratio, y: box.top + y / ratio };
  },
};
Object.assign(window, { ludus });

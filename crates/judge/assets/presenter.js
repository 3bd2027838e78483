// Presents a final with the keyboard: → or Space for the next step, P to hold
// and go on with the match, + and − for its speed, F for the whole screen.
const stage = document.querySelector("#stage");
const form = document.querySelector("#next");
const speed = document.querySelector("#speed");
const after = form.elements.namedItem("after");
const button = form.querySelector("button");
let busy = false;

/** The viewer of the match that is being shown, once it is ready. */
function viewer() {
  const frame = stage.querySelector("iframe");
  const inside = frame?.contentWindow;
  return inside?.ludus && inside.document.body?.dataset.state === "ready" ? inside : null;
}

function setSpeed() {
  const choice = viewer()?.document.querySelector("#speed");
  if (!choice) return;
  choice.value = speed.value;
  choice.dispatchEvent(new Event("change"));
}

/** Lets a new match play by itself, and takes its keys. */
function begin() {
  const frame = stage.querySelector("iframe");
  if (!frame) return;
  const wait = setInterval(() => {
    if (!frame.isConnected) return clearInterval(wait);
    const inside = viewer();
    if (!inside) return;
    clearInterval(wait);
    inside.addEventListener("keydown", keys, true);
    // The chart and the list of events know how the match ends.
    for (const id of ["chart", "log"]) inside.document.getElementById(id)?.closest("section")?.setAttribute("hidden", "");
    setSpeed();
    inside.ludus.play();
    frame.dataset.state = "playing";
  }, 50);
}

async function next() {
  if (busy || button.disabled) return;
  busy = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "x-stage": "1" } });
    if (!answer.ok) return location.reload();
    stage.innerHTML = await answer.text();
    const progress = stage.querySelector(".progress");
    after.value = progress.dataset.at;
    button.disabled = progress.dataset.at === progress.dataset.all;
    begin();
  } finally {
    busy = false;
  }
}

function faster(by) {
  const at = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  speed.selectedIndex = at;
  setSpeed();
}

function hold() {
  const inside = viewer();
  if (!inside) return;
  const frame = stage.querySelector("iframe");
  const playing = frame.dataset.state === "playing";
  if (playing) inside.ludus.pause();
  else inside.ludus.play();
  frame.dataset.state = playing ? "held" : "playing";
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

const ACTIONS = { ArrowRight: next, " ": next, PageDown: next, p: hold, P: hold, "+": () => faster(1), "-": () => faster(-1), f: fullScreen, F: fullScreen };

function keys(event) {
  const action = ACTIONS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!event.repeat) action();
}

addEventListener("keydown", keys, true);
speed.addEventListener("change", setSpeed);
form.addEventListener("submit", (event) => { event.preventDefault(); next(); });
begin();

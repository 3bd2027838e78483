// Follows a season: the round as it happens. Without this script the page
// reloads itself.
const round = document.querySelector("#round");
const address = round?.getAttribute("data-events");

// Marks what is one's own, which the same piece of page for everybody cannot do.
const mark = () => {
  const own = round.getAttribute("data-own");
  for (const seat of own ? round.querySelectorAll(`[data-author="${CSS.escape(own)}"]`) : []) seat.classList.add("own");
};

if (round) {
  mark();
  if (address) {
    const source = new EventSource(address);
    source.addEventListener("progress", (event) => { round.innerHTML = event.data; mark(); });
    source.addEventListener("changes", (event) => {
      const changed = document.createElement("template");
      changed.innerHTML = event.data;
      // What is not there yet is a new stage, and the newest one stands first.
      for (const part of [...changed.content.children]) {
        const known = document.getElementById(part.id);
        if (known) known.replaceWith(part);
        else document.getElementById("round-head")?.after(part);
      }
      mark();
    });
    source.addEventListener("over", () => { source.close(); location.reload(); });
    // A broken connection mends itself; one that was refused does not.
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000); });
  }
}

// A lecture hall wants the whole screen.
const toggle = () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
};
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (event.key.toLowerCase() === "f" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && document.querySelector("[data-hall]")) toggle();
});
document.querySelector("#whole-screen")?.addEventListener("click", toggle);

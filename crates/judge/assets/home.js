// The match on the first page. What the page says comes first, on a slow phone above
// all: until then there is a picture of the game, and the viewer comes when the page
// has been done for a moment, or as soon as somebody moves.
const place = document.querySelector("[data-viewer]");
const SIGNS = ["pointermove", "pointerdown", "scroll", "keydown"];

function show() {
  for (const sign of SIGNS) removeEventListener(sign, show);
  if (place.querySelector("iframe")) return;
  const frame = document.createElement("iframe");
  frame.className = "featured";
  frame.title = place.dataset.title;
  frame.setAttribute("data-featured", "");
  frame.src = place.dataset.viewer;
  place.append(frame);
  // It covers the picture when there is something to see.
  const wait = setInterval(() => {
    if (!frame.contentWindow?.ludus?.firstFrame) return;
    clearInterval(wait);
    frame.classList.add("ready");
  }, 60);
}

function begin() {
  for (const sign of SIGNS) addEventListener(sign, show, { passive: true, once: true });
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(show), 2000);
}

if (place) {
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}

// The page of a match: rounds on the page lead to the viewer, which keeps the
// round in the address of the page.
const viewer = document.querySelector("#viewer");
const share = document.querySelector("#share");
const fromRound = document.querySelector("#from-round");

/** The viewer fills what the window has left below what is above it: a banner and a menu in two lines take their room. */
function fit() {
  viewer.style.height = `${Math.max(LOWEST, innerHeight - viewer.getBoundingClientRect().top - scrollY)}px`;
}

/** Lower than this nobody can watch a match. */
const LOWEST = 300;

if (viewer) {
  fit();
  addEventListener("resize", fit);
  // Fonts and pictures may come later.
  const above = new ResizeObserver(fit);
  for (const element of document.querySelectorAll("header.site, .banner, .crumbs")) above.observe(element);
  addEventListener("hashchange", () => viewer.scrollIntoView({ block: "nearest" }));
  for (const chart of document.querySelectorAll("svg[data-rounds]")) {
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const rounds = Number(chart.dataset.rounds);
      location.hash = `r=${Math.min(rounds - 1, Math.floor(((event.clientX - box.left) / box.width) * rounds))}`;
    });
  }
}
if (share && fromRound) {
  const whole = share.value;
  const update = () => { share.value = fromRound.checked ? whole + location.hash : whole; };
  fromRound.addEventListener("change", update);
  // The viewer goes on while somebody thinks about it.
  share.closest("section").addEventListener("click", update, true);
}

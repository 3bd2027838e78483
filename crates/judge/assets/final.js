// Follows the show of a final. Without this script the page reloads itself.
const show = document.querySelector("#show");
const address = show?.getAttribute("data-events");
if (show && address) {
  const source = new EventSource(address);
  let known = show.querySelector("[data-step]")?.getAttribute("data-step") ?? "0";
  source.addEventListener("step", (event) => {
    const open = [...show.querySelectorAll("details")].map((round) => round.open).reverse();
    show.innerHTML = event.data;
    // Rounds are added in front; what somebody has opened stays open.
    for (const [at, round] of [...show.querySelectorAll("details")].reverse().entries()) round.open = open[at] ?? false;
    const step = show.querySelector("[data-step]")?.getAttribute("data-step") ?? "0";
    if (step !== known) show.querySelector(".now")?.scrollIntoView({ block: "nearest" });
    known = step;
  });
  // The page of a final that is over has its seed and its files.
  source.addEventListener("over", () => { source.close(); location.reload(); });
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000); });
}

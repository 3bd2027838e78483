// A link to a place on the other side scrolls that side only, and a link to a
// pair opens it.
const bring = target => {
  const pane = target.closest("pre");
  const shift = target.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  pane.scrollTop += shift - pane.clientHeight / 3;
};
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#p']");
  if (!link) return;
  const target = document.getElementById(link.getAttribute("href").slice(1));
  if (!target) return;
  if (target.matches("details")) { target.open = true; return; }
  event.preventDefault();
  bring(target);
  const partner = document.getElementById(target.getAttribute("href").slice(1));
  if (!link.closest("pre") && partner) bring(partner);
  history.replaceState(null, "", "#" + target.id);
  for (const marked of document.querySelectorAll(".here")) marked.classList.remove("here");
  target.classList.add("here");
});
addEventListener("beforeprint", () => {
  const all = [...document.querySelectorAll("details")];
  if (!all.some(part => part.open)) for (const part of all) part.open = true;
});

// Looks again and again at a part of a page that changes, until it says that it
// is over. Without this script the page reloads itself.
const part = document.querySelector("[data-poll]");
async function look() {
  if (!document.hidden) {
    const answer = await fetch(part.getAttribute("data-poll")).catch(() => null);
    if (answer?.ok) {
      part.innerHTML = await answer.text();
      if (part.querySelector("[data-over]")) return;
    }
  }
  setTimeout(look, 2000);
}
if (part) setTimeout(look, 1000);

// What is wrong in a long form is shown where the eye is.
document.querySelector("main [aria-invalid=true]")?.focus();

// Small comforts that no page depends on.
for (const input of document.querySelectorAll("input[data-copy]")) {
  // The server does not know by which name this browser reaches it.
  if (input.value.startsWith("/")) input.value = new URL(input.value, location.origin).href;
  input.addEventListener("focus", () => input.select());
  if (!navigator.clipboard) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = input.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(input.value);
    button.textContent = "✓";
    setTimeout(() => { button.textContent = input.dataset.copy; }, 1500);
  });
  input.after(button);
}

// A new season has the limits of its game until somebody has typed others.
const game = document.querySelector("select[data-limits]");
const limits = game ? ["cpu", "round"].map((name) => document.getElementById(name)) : [];
const usual = () => limits.map((input) => game.selectedOptions[0].dataset[input.id]);
let shown = game ? usual() : [];
game?.addEventListener("change", () => {
  limits.forEach((input, at) => { if (input.value === shown[at]) input.value = usual()[at]; });
  shown = usual();
});

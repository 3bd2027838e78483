// Small comforts that no page depends on.
for (const input of document.querySelectorAll("input[data-copy]")) {
  input.addEventListener("focus", () => input.select());
}

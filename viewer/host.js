// The page that the viewer fills, if it is part of one that asks for it: the
// round stands in the address of that page, and its keys are the viewer's.

/** A match on show plays by itself, without anything around the board. */
export const isFeatured = window.frameElement?.hasAttribute("data-featured") ?? false;
if (isFeatured) document.documentElement.classList.add("featured");

const frame = window.frameElement?.hasAttribute("data-whole") ? /** @type {HTMLElement} */ (window.frameElement) : null;

/** The window whose address and keys count. */
export const host = frame ? window.parent : window;

/** Where the page keeps what the players of its reader wrote, if there is such a place. */
export const outputAddress = frame?.dataset.output;

/** Listens to keys wherever the focus is. @param {(event: KeyboardEvent) => void} listener */
export function listenToKeys(listener) {
	addEventListener("keydown", listener);
	if (frame) host.addEventListener("keydown", (event) => isFree(event) && listener(event));
}

/** Whether nothing on the page around needs the key. @param {KeyboardEvent} event */
function isFree(event) {
	const target = /** @type {Element} */ (event.target);
	const field = target.closest("input, textarea, select, [contenteditable]");
	// Into what can only be copied nothing is typed, and Space would scroll the page.
	if (event.defaultPrevented || (field && !(event.key === " " && field.matches("[readonly]")))) return false;
	return !(event.key === "Enter" && target.closest("a, button, summary")) && !(event.key === " " && target.closest("button, summary"));
}

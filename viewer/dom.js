// Short ways to find and make elements. Text is always text, never markup.

/**
 * The element with this id, which the page must have.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new (...args: any[]) => T} type
 * @returns {T}
 */
export function find(id, type = /** @type {any} */ (HTMLElement)) {
	const element = document.getElementById(id);
	if (!(element instanceof type)) throw new Error(`the page has no ${id}`);
	return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, className = "", ...children) {
	const element = document.createElement(tag);
	if (className) element.className = className;
	element.append(...children);
	return element;
}

/** A square in the colour of a seat. @param {string} colour */
export function swatch(colour) {
	const square = make("span", "swatch");
	square.style.background = colour;
	return square;
}

/** Changes a text only if it differs, which is cheaper than to lay it out again. @param {Node} node @param {string} content */
export function setText(node, content) {
	if (node.textContent !== content) node.textContent = content;
}

// Where matches come from: the page itself, the server of the page, or a file
// of the user, which that server turns into a scene.

import { readScene } from "./scene.js";
import { text } from "./texts.js";

/** The match that the page was made for, if there is one. @returns {Promise<Scene | null>} */
export async function loadScene() {
	const inside = document.getElementById("scene");
	if (inside) return readScene(await unpack(inside));
	const address = document.body.dataset.scene;
	if (!address) return null;
	const answer = await ask(address);
	if (answer.status === 204) return null;
	return readScene(await checked(answer));
}

/** Whether files of the user can be opened here. */
export function canOpen() {
	return Boolean(document.body.dataset.open) && location.protocol !== "file:";
}

/** Lets the server read a file. @param {File} file @returns {Promise<Scene>} */
export async function openFile(file) {
	const address = document.body.dataset.open;
	if (!address || !canOpen()) throw new Error(text("fromDisk"));
	const answer = await ask(`${address}?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
	return readScene(await checked(answer));
}

/** @param {string} address @param {RequestInit} [request] */
async function ask(address, request) {
	try {
		return await fetch(address, request);
	} catch {
		throw new Error(text("offline"));
	}
}

/** The text of an answer; one that tells of a problem becomes an error. @param {Response} answer */
async function checked(answer) {
	const content = await answer.text();
	if (!answer.ok) throw new Error(content.trim() || answer.statusText);
	return content;
}

/** The scene inside a self-contained page, plain or packed. @param {HTMLElement} element */
async function unpack(element) {
	const content = element.textContent ?? "";
	if (element.dataset.packed !== "gzip") return content;
	const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).text();
}

/** Opens what is dropped on the page or picked with the file dialog. @param {HTMLInputElement} picker @param {(file: File) => void} open */
export function watchFiles(picker, open) {
	picker.addEventListener("change", () => {
		const file = picker.files?.[0];
		picker.value = "";
		if (file) open(file);
	});
	let depth = 0;
	const mark = (/** @type {number} */ change) => {
		depth = Math.max(0, depth + change);
		document.body.classList.toggle("dropping", depth > 0);
	};
	addEventListener("dragenter", (event) => {
		if (event.dataTransfer?.types.includes("Files")) mark(1);
	});
	addEventListener("dragleave", () => mark(-1));
	addEventListener("dragover", (event) => event.preventDefault());
	addEventListener("drop", (event) => {
		event.preventDefault();
		mark(-depth);
		const file = event.dataTransfer?.files[0];
		if (file) open(file);
	});
}

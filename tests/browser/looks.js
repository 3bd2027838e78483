// What everybody needs of a page: axe-core finds nothing in either theme, what can be
// filled in has an edge, and on a laptop and on a phone nothing sticks out, nothing is
// cut, the whole menu can be reached and what the page is for stands in sight.

import { settle, violations } from "../../viewer/tests/axe.js";

const DEVICES = { phone: { width: 390, height: 844 }, laptop: { width: 1366, height: 768 } };

/** Inputs whose edge can hardly be seen. */
function paleEdges() {
	const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const luminance = (colour) => {
		paint.clearRect(0, 0, 1, 1);
		paint.fillStyle = colour;
		paint.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (element) => {
		for (let at = element.parentElement; at; at = at.parentElement) {
			const colour = getComputedStyle(at).backgroundColor;
			if (!/, 0\)$|transparent/.test(colour)) return colour;
		}
		return "white";
	};
	const inputs = [...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio], [type=range]), select, textarea, .editor")];
	return inputs.filter((input) => input.checkVisibility()).flatMap((input) => {
		// What has the focus has a ring in the place of its edge.
		const { borderTopColor, outlineColor } = getComputedStyle(input);
		const [edge, ground] = [luminance(input.matches(":focus") ? outlineColor : borderTopColor), luminance(behind(input))];
		const contrast = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05);
		return contrast < 3 ? [`pale edge of ${input.id || input.name || input.className}: ${contrast.toFixed(2)}`] : [];
	});
}

/** What of a page does not fit its window, as the page stands when it opens. */
function misfits() {
	const told = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}${[...element.classList].map((name) => `.${name}`).join("")} "${(element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}"`;
	const wrong = [];
	const scrolled = document.scrollingElement;
	if (scrolled.scrollWidth > innerWidth) wrong.push(`the page is ${scrolled.scrollWidth} wide`);
	const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
	const within = (element, what) => {
		for (let at = element.parentElement; at; at = at.parentElement) if (what(at)) return at;
		return null;
	};
	// Headings of tables that fold up on a phone are there for those who hear the page.
	const spoken = (element) => element.clientWidth <= 1 && element.clientHeight <= 1 && getComputedStyle(element).overflowX === "hidden";
	const shown = [...document.body.querySelectorAll("*")].filter((element) => !element.closest("svg *, .skip") && !spoken(element) && !within(element, spoken) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
	for (const element of shown) {
		const place = element.getBoundingClientRect();
		if (place.width === 0 || place.height === 0) continue;
		if ((place.right > innerWidth + 1 || place.left < -1) && !within(element, scrolls)) wrong.push(`outside of the window: ${told(element)}`);
		const style = getComputedStyle(element);
		const hides = /hidden|clip/.test(style.overflowX) || /hidden|clip/.test(style.overflowY);
		const words = element.matches(":not(input, iframe, img, canvas, .editor, .editor *)") && (element.textContent ?? "").trim() !== "";
		if (hides && words && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2)) wrong.push(`cut: ${told(element)}`);
	}
	for (const control of document.querySelectorAll("header.site a, header.site button")) {
		const place = control.getBoundingClientRect();
		if (place.width < 1 || place.bottom > innerHeight || place.right > innerWidth || place.left < 0) wrong.push(`not in reach: ${told(control)}`);
	}
	const main = shown.find((element) => element.matches("main iframe.viewer, main :is(a.button, button):not(.quiet, .plain, .danger)"));
	if (main && main.getBoundingClientRect().bottom > innerHeight) wrong.push(`below the fold: ${told(main)} at ${Math.round(main.getBoundingClientRect().bottom)}`);
	return wrong;
}

/**
 * What is wrong with a page as it is now, said with its name.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function wrongWith(page, name) {
	const wrong = [];
	const before = page.viewportSize();
	for (const theme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme: theme });
		await settle(page);
		const pale = (await Promise.all(page.frames().map((frame) => frame.evaluate(paleEdges)))).flat();
		wrong.push(...[...(await violations(page)), ...pale].map((what) => `${name} (${theme}) ${what}`));
	}
	for (const device of /** @type {(keyof DEVICES)[]} */ (Object.keys(DEVICES))) wrong.push(...(await misfitsOn(page, device, name)));
	if (before) await page.setViewportSize(before);
	return wrong;
}

/**
 * What of a page does not fit a device.
 * @param {import("playwright-core").Page} page
 * @param {keyof DEVICES} device
 * @param {string} name
 */
export async function misfitsOn(page, device, name) {
	await page.setViewportSize(DEVICES[device]);
	await page.evaluate(() => scrollTo(0, 0));
	await settle(page);
	return (await page.evaluate(misfits)).map((what) => `${name} (${device}) ${what}`);
}

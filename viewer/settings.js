// What the user likes, remembered from visit to visit.

import { browserLanguage } from "./texts.js";

const PLACE = "ludus.viewer";

/** @returns {Settings} */
function defaults() {
	const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
	return { theme: "auto", language: browserLanguage(), safe: false, animation: !calm, life: true, effects: !calm, drawn: true };
}

/** @returns {Settings} */
export function loadSettings() {
	const settings = defaults();
	try {
		const kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
		for (const key of /** @type {(keyof Settings)[]} */ (Object.keys(settings))) {
			if (typeof kept[key] === typeof settings[key]) Object.assign(settings, { [key]: kept[key] });
		}
		if (!["en", "ca", "es"].includes(settings.language)) settings.language = browserLanguage();
		if (!["auto", "light", "dark"].includes(settings.theme)) settings.theme = "auto";
	} catch {
		// Some pages, such as files in a sandbox, may keep nothing: the defaults do.
	}
	// A site that shows the viewer among its own pages decides what it speaks and how it looks.
	const around = document.body.dataset.language;
	if (around === "en" || around === "ca" || around === "es") settings.language = around;
	const theme = document.body.dataset.siteTheme;
	if (theme === "auto" || theme === "light" || theme === "dark") settings.theme = theme;
	return settings;
}

/** Remembers one choice. The rest stays what the browser asks for. @param {keyof Settings} key @param {string | boolean} value */
export function keepSetting(key, value) {
	try {
		const kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
		localStorage.setItem(PLACE, JSON.stringify({ ...kept, [key]: value }));
	} catch {
		// The choice then lasts as long as the page.
	}
}

/** Whether the page is dark with these settings. @param {Settings} settings */
export function isDark(settings) {
	return settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
}

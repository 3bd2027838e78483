// The window with the user's choices, and what follows from them.

import { find } from "./dom.js";
import { keepSetting } from "./settings.js";
import { LANGUAGES } from "./texts.js";

/** @typedef {"animation" | "life" | "effects" | "drawn"} Switch */

/** Shows the settings and keeps them as they are changed. @param {Settings} settings @param {() => void} changed */
export function watchOptions(settings, changed) {
	const panel = find("options");
	const language = find("language", HTMLSelectElement);
	language.append(...Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code)));

	const display = () => {
		if (settings.theme === "auto") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = settings.theme;
		language.value = settings.language;
		for (const input of panel.querySelectorAll("input")) {
			if (input.type === "checkbox") input.checked = settings[/** @type {Switch} */ (input.name)];
			else input.checked = input.value === (input.name === "theme" ? settings.theme : settings.safe ? "yes" : "no");
		}
	};

	/** @param {Partial<Settings>} choice */
	const choose = (choice) => {
		Object.assign(settings, choice);
		for (const [key, value] of Object.entries(choice)) keepSetting(/** @type {keyof Settings} */ (key), value);
		display();
		changed();
	};

	panel.addEventListener("change", (event) => {
		const input = event.target;
		if (input === language) choose({ language: /** @type {Settings["language"]} */ (language.value) });
		if (!(input instanceof HTMLInputElement)) return;
		if (input.name === "theme") choose({ theme: /** @type {Settings["theme"]} */ (input.value) });
		else if (input.name === "safe") choose({ safe: input.value === "yes" });
		else choose({ [input.name]: input.checked });
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
	display();
	return {
		/** @param {Switch} name */
		toggle: (name) => choose({ [name]: !settings[name] }),
	};
}

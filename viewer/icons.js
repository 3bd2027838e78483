// Icons of our own, as strokes in a square of 24.

const CROSS = "M6.5 6.5l11 11M17.5 6.5l-11 11";

/** @type {Record<string, string>} */
const PATHS = {
	play: "M8 5.5v13l10.5-6.5z",
	pause: "M8 5.5v13M16 5.5v13",
	start: "M6 6v12M18 6.5v11L9.5 12z",
	end: "M18 6v12M6 6.5v11l8.5-5.5z",
	back: "M14.5 6.5 9 12l5.5 5.5",
	forward: "M9.5 6.5 15 12l-5.5 5.5",
	back10: "M18 6.5 12.5 12l5.5 5.5M11.5 6.5 6 12l5.5 5.5",
	forward10: "M6 6.5 11.5 12 6 17.5M12.5 6.5 18 12l-5.5 5.5",
	animation: "M4 12c2.5-7 5.5-7 8 0s5.5 7 8 0",
	open: "M4 18.5v-12h5.5l2 2.5H20v9.5z",
	options: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5",
	help: "M9.2 9.2a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.5 1.1-1.5 2.3M12 17.4v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
	legend: "M5 5h5v5H5zM5 14h5v5H5zM13.5 7.5H20M13.5 16.5H20",
	fullScreen: "M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15",
	close: CROSS,
	letGo: CROSS,
	dismiss: CROSS,
	dismissOutcome: CROSS,
	zoomIn: "M12 6v12M6 12h12",
	zoomOut: "M6 12h12",
	fit: "M5 5h14v14H5zM9 9h6v6H9z",
	follow: "M12 3v4M12 17v4M3 12h4M17 12h4M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
};

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name */
export function icon(name) {
	const svg = document.createElementNS(SVG, "svg");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("class", "icon");
	svg.setAttribute("aria-hidden", "true");
	const path = document.createElementNS(SVG, "path");
	path.setAttribute("d", PATHS[name] ?? "");
	if (name === "play") path.setAttribute("fill", "currentColor");
	svg.append(path);
	return svg;
}

// What axe-core finds wrong with a page, for the tests of the viewer and of the site.

import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Waits until every frame is drawn in its theme: frames hear of it one after the other. @param {import("playwright-core").Page} page */
export const settle = (page) => Promise.all(page.frames().map((frame) => frame.evaluate(async () => {
	for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
	const passing = (one) => one instanceof CSSTransition || one.effect?.getComputedTiming().iterations !== Infinity;
	await Promise.all(document.getAnimations().filter(passing).map((one) => one.finished.catch(() => {})));
})));

/** Violations of the page as it is now. @param {import("playwright-core").Page} page */
export async function violations(page) {
	for (const frame of page.frames()) if (!(await frame.evaluate("typeof axe === 'object'"))) await frame.evaluate(AXE);
	const found = await page.evaluate(() => axe.run(document));
	return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.any[0]?.message ?? node.html}`));
}

/** The same in both themes. @param {import("playwright-core").Page} page @param {string} name of what is looked at */
export async function violationsInBothThemes(page, name) {
	const wrong = [];
	for (const colorScheme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme });
		await settle(page);
		wrong.push(...(await violations(page)).map((what) => `${name} (${colorScheme}) ${what}`));
	}
	return wrong;
}

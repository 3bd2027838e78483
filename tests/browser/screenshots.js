// Pictures of the pages that people see most, for people to look at: each on a laptop
// and on a phone, light and dark, as they are when the page opens. Nothing is asserted.
//   PICTURES=FOLDER node --test tests/browser/screenshots.js
// With WHOLE=1 the pictures go down to the end of the page; ONLY=word takes those whose
// name has the word.

import { test } from "node:test";
import { address, BROKEN, picture, submitExample, submitText, trainFour, troubles, visit } from "./course.js";

const DEVICES = { laptop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } };
const { ONLY = "", WHOLE, LOCALE = "en" } = process.env;

async function looks(page, who, pages) {
	for (const [name, path] of Object.entries(pages)) {
		if (!path || !name.includes(ONLY)) continue;
		for (const [device, viewport] of Object.entries(DEVICES)) {
			await page.setViewportSize(viewport);
			for (const colorScheme of ["light", "dark"]) {
				await page.emulateMedia({ colorScheme });
				await page.goto(address + path, { waitUntil: "load" });
				if (await page.locator("iframe.viewer").count()) await page.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor({ state: "attached" });
				if (await page.locator("[data-viewer]").count()) {
					await page.keyboard.press("Shift");
					await page.locator("iframe.featured.ready").waitFor();
				}
				await picture(page, `${name}-${device}-${colorScheme}`, Boolean(WHOLE));
			}
		}
	}
}

test("pictures of the site", async () => {
	const [stranger, pau, instructor] = await Promise.all([undefined, "pau", "instructor"].map((who) => visit(who, { reducedMotion: "reduce", locale: LOCALE })));
	do await stranger.goto(`${address}/seasons/ants-cup/rounds`);
	while (!(await stranger.locator("a[href='/seasons/ants-cup/rounds/1']").count()));
	await looks(pau, "pau", { "10-submissions-empty": "/submissions", "11-training-empty": "/training", "12-season-new": "/seasons/dominator" });

	const accepted = await submitExample(pau, "dominator", "AIReaper.cc", "Web1");
	const rejected = await submitText(pau, "ants", BROKEN);
	const training = await trainFour(pau, "dominator");
	const match = await pau.locator("main section ul.rows a >> nth=0").getAttribute("href");
	await pau.goto(address + accepted);
	await pau.click("#training form button");
	await pau.waitForSelector("#training form", { state: "detached" });
	const person = await (async () => {
		await instructor.goto(`${address}/people`);
		return instructor.locator("main table a[href^='/people/'] >> nth=0").getAttribute("href");
	})();

	const games = {};
	for (const game of ["ants", "dominator", "potter", "purge", "requiem"]) {
		do await pau.goto(`${address}/matches?season=${game}&purpose=demonstration`);
		while (!(await pau.locator("main li a").count()));
		games[`39-${game}`] = `${await pau.locator("main li a >> nth=0").getAttribute("href")}#r=120`;
	}
	await looks(pau, "pau", games);

	await looks(stranger, "stranger", {
		"20-home": "/", "21-season": "/seasons/ants-cup", "22-rules": "/seasons/purge/rules", "23-api": "/seasons/ants/api/both", "24-rounds": "/seasons/ants-cup/rounds",
		"25-round": "/seasons/ants-cup/rounds/1", "26-hall": "/seasons/ants-cup/hall", "27-sign-in": "/sign-in", "28-status": "/status", "29-news": "/news", "29-nowhere": "/nowhere",
	});
	await looks(pau, "pau", {
		"30-home-student": "/", "31-season-student": "/seasons/dominator", "32-submit": "/seasons/ants/submit", "33-accepted": accepted, "34-rejected": rejected,
		"35-train": "/seasons/dominator/train", "36-training": training, "37-player": accepted.replace("submissions", "players"), "38-match": match, "39-ladder": "/seasons/dominator/ladder",
		"40-submissions": "/submissions", "41-matches": "/matches", "42-account": "/account", "43-tokens": "/account/tokens", "44-friends": "/friends", "45-calls": "/api",
	});
	await looks(instructor, "instructor", {
		"50-desk": "/desk", "51-people": "/people", "52-import": "/people/import", "53-letter": "/people/letter", "54-groups": "/people/groups", "55-person": person, "56-course": "/course",
		"57-workshop": "/workshop", "58-season-form": "/seasons/new", "59-season-instructor": "/seasons/ants", "60-round-desk": "/seasons/ants-cup/desk", "61-grades": "/seasons/ants-cup/grades",
		"62-news-form": "/news/new", "63-final-form": "/finals/new", "64-actions": "/actions", "65-storage": "/storage", "66-workers": "/workers", "67-likeness": "/seasons/ants/likeness", "68-archive": "/seasons/archive",
	});
	await instructor.goto(`${address}/news/new`);
	await instructor.selectOption("#kind", "incident");
	for (const [language, title] of [["en", "Verdicts are late this morning"], ["ca", "Els veredictes arriben tard aquest matí"], ["es", "Los veredictos llegan tarde esta mañana"]]) await instructor.fill(`#title-${language}`, title);
	await instructor.click("main form button");
	await instructor.waitForSelector(".banner");
	await looks(stranger, "stranger", { "70-incident-home": "/", "71-incident-news": "/news", "72-incident-status": "/status" });
	troubles.splice(0);
});

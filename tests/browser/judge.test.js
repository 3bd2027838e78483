// The paths of a student and of an instructor, in Chromium, from an empty folder.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { address, picture, root, troubles, visit } from "./course.js";

const player = readFileSync(join(root, "crates/judge/tests/players/AIReaper.cc"), "utf8");

test("a student submits a player and watches what decided", async () => {
	const page = await visit("pau");
	await page.click(".cards a[href='/seasons/dominator']");
	await page.click("a.button:has-text(\"Take an example\")");
	await page.fill("#name", "Web1");
	await Promise.all([page.waitForURL(/start=AIReaper/), page.click("text=Put it into the form")]);
	assert.match(await page.inputValue("#text"), /PLAYER_NAME Web1/);
	await page.click("main form[method=post] button");
	await page.waitForURL(/submissions\/\d+$/);
	await page.waitForSelector(".verdict.good, .verdict.bad");
	assert.equal(await page.locator(".timeline li.done, .timeline li.failed").count(), 7, await page.locator(".verdict").innerText());
	// Scores of six digits fit a phone.
	await page.setViewportSize({ width: 390, height: 844 });
	const wide = await page.evaluate(() => document.documentElement.scrollWidth);
	assert.ok(wide <= 390, `the verdict is ${wide} wide`);
	await page.setViewportSize({ width: 1366, height: 768 });
	await page.click(".timeline >> text=Watch >> nth=0");
	const viewer = page.frameLocator("iframe.viewer");
	await viewer.locator("body[data-state=ready], body:not([data-state=loading])").waitFor();
	await viewer.locator("#cards li >> nth=3").waitFor();
	assert.match(await viewer.locator("#cards").innerText(), /Web1/);
	const below = await viewer.locator("#side").evaluate((side) => side.scrollHeight - side.clientHeight);
	assert.equal(below, 0, "everything beside the board is in sight on a laptop");
	assert.equal(await page.locator(".chart svg[role=img]").count(), 4);
	await page.click("text=Every round in numbers");
	assert.equal(await page.locator("table.cpu tbody tr").count(), 200);
	for (const name of ["Replay", "Record"]) {
		const [file] = await Promise.all([page.waitForEvent("download"), page.click(`.actions >> text=${name}`)]);
		assert.match(file.suggestedFilename(), /^match-\d+\.(ludus|txt)$/);
	}
	// The viewer fills the page, and takes its address and its keys.
	await page.click("table.cpu tbody a >> text=/^42$/");
	await viewer.locator("#round").waitFor();
	await page.waitForFunction(() => document.querySelector("iframe").contentWindow.ludus.round === 42);
	await page.focus(".actions a");
	await page.keyboard.press("ArrowRight");
	await page.waitForURL(/#r=43$/);
	const controls = await page.evaluate(() => {
		const frame = document.querySelector("iframe");
		frame.scrollIntoView({ block: "end" });
		return frame.getBoundingClientRect().height + document.querySelector("header.site").getBoundingClientRect().height <= innerHeight;
	});
	assert.ok(controls, "the controls are in sight");
	await page.check("#from-round");
	await page.click("#share");
	assert.match(await page.inputValue("#share"), /#r=43$/);
	const shared = await page.inputValue("#share");
	const top = await page.evaluate(() => scrollY);
	await page.focus("#share");
	await page.keyboard.press("Space");
	await page.waitForFunction(() => document.querySelector("iframe").contentWindow.ludus.round > 43);
	assert.equal(await page.evaluate(() => scrollY), top, "Space plays and does not scroll");
	await page.context().close();

	const guest = await visit(undefined, { locale: "ca" });
	await guest.goto(shared);
	await guest.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor();
	assert.equal(await guest.frameLocator("iframe.viewer").locator("html").getAttribute("lang"), "ca");
	assert.equal(await guest.locator("text=stderr").count(), 0);
	await guest.waitForFunction(() => document.querySelector("iframe").contentWindow.ludus.round === 43);
	await guest.context().close();
});

test("a wrong file is explained with its line", async () => {
	const page = await visit("pau");
	await page.goto(`${address}/seasons/ants/submit`);
	await page.setInputFiles("#file", { name: "AIx.cc", mimeType: "text/plain", buffer: Buffer.from("#define PLAYER_NAME Pau\n#define PLAYER_NAME Other\n") });
	await page.click("main form button");
	await page.waitForSelector(".notice.bad >> text=Line 2:");
	assert.match(await page.locator(".notice.bad").innerText(), /two players/);
	troubles.splice(0); // Chromium notes the status 422 as an error.
	await page.context().close();
});

test("an instructor invites a student, who signs in on a phone and reads Catalan", async () => {
	const page = await visit("instructor");
	await page.click("text=People");
	await page.click("text=Import a roster");
	await page.fill("#text", "name,email,group\nAna,ana@example.edu,G1\nOriol,oriol-at-example,G1\n");
	await page.click("main form button");
	await page.waitForSelector(".notice.bad >> text=Line 3:");
	await page.fill("#text", "name,email,group\nAna,ana@example.edu,G1\nOriol,oriol@example.edu,G1\n");
	await page.click("main form button");
	await page.waitForSelector("text=People imported: 2");
	troubles.splice(0); // Chromium notes the status 422 as an error.
	await page.click("text=People");
	await page.click("text=Invite somebody");
	await page.fill("#name", "Núria Puig");
	await page.fill("#email", "nuria@example.edu");
	await page.click("main form button");
	const link = await page.inputValue("#link");
	await page.click("text=Course");
	await page.fill("#title", "Algorithms");
	await page.click("main form button");
	await page.waitForSelector("text=Saved.");
	await page.click("header >> text=Seasons");
	await page.click("text=New season");
	await page.fill("#title", "Autumn ants");
	await page.click("main form button");
	await page.waitForURL(/seasons\/autumn-ants\?said=made$/);
	await page.click("text=Workshop");
	await page.waitForSelector("h1 >> text=Workshop");
	await page.context().close();

	const phone = await visit(undefined, { viewport: { width: 390, height: 844 }, hasTouch: true });
	await phone.goto(link);
	await phone.fill("#password", "una frase prou llarga");
	await phone.fill("#again", "una frase prou llarga");
	await phone.click("main form button");
	await phone.waitForSelector("text=Your password is set");
	await phone.click("text=Català");
	await phone.waitForSelector("header >> text=Temporades");
	await phone.click("text=Autumn ants");
	await phone.waitForSelector("text=Envia un jugador");
	const wide = await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth);
	assert.equal(wide, false, "nothing sticks out of the phone");
	await phone.context().close();
});

test("a submission gets its verdict without scripts too", async () => {
	const page = await visit("marta", { javaScriptEnabled: false });
	await page.goto(`${address}/seasons/dominator/submit`);
	await page.fill("#text", player.replace("PLAYER_NAME Reaper", "PLAYER_NAME Plain"));
	await page.click("main form button");
	await page.waitForURL(/submissions\/\d+$/);
	// The page reloads itself until there is a verdict.
	await page.waitForSelector(".verdict.good, .verdict.bad");
	await page.context().close();
});

test("an account is looked after by its owner and by an instructor", async () => {
	const phone = await visit("marta");
	const desk = await visit("marta");
	await desk.click("header >> text=Marta Soler");
	await desk.waitForURL(/\/account$/);
	assert.equal(await desk.locator("form[action='/account/sessions/end']").count(), 3, "one from the test before");
	await desk.locator("li", { hasNotText: "aquest dispositiu" }).locator("text=Tanca-la").first().click();
	await desk.waitForSelector("text=S'ha tancat la sessió.");
	await desk.selectOption("#language", "es");
	await desk.click("form[action='/language'] button.quiet");
	await desk.waitForSelector("text=Guardado.");
	const instructor = await visit("instructor");
	await instructor.click("text=People");
	await instructor.click("main >> text=Marta Soler");
	await instructor.click("button.danger");
	await instructor.waitForSelector("text=The account is locked");
	await desk.goto(`${address}/account`);
	await desk.waitForURL(/sign-in\?next=\/account/);
	await instructor.click("button.danger");
	await instructor.waitForSelector("text=The account is unlocked");
	for (const page of [phone, desk, instructor]) await page.context().close();
});

test("two students become friends, and only then their private players train", async () => {
	const options = { viewport: { width: 1366, height: 768 }, colorScheme: "dark" };
	const [pau, marta] = [await visit("pau", options), await visit("marta", { viewport: { width: 390, height: 844 }, hasTouch: true })];
	for (const [page, name] of [[pau, "PauOne"], [marta, "MartaOne"]]) {
		await page.goto(`${address}/seasons/requiem/submit?start=AISower.cc&name=${name}`);
		assert.match(await page.inputValue("#text"), new RegExp(name));
		await page.click("main form[method=post] button");
		await page.waitForSelector(".verdict.good");
	}
	const ask = async () => {
		await pau.goto(`${address}/seasons/requiem`);
		await pau.click("a.button:has-text(\"Train\")");
		assert.equal(await pau.inputValue("#first"), "PauOne");
		await pau.fill("#second", "MartaOne");
		await pau.fill("#count", "4");
		await pau.click("main form[method=post] button");
	};
	await ask();
	await pau.waitForSelector(".notice.bad >> text=MartaOne is private");
	troubles.splice(0); // Chromium notes the status 422 as an error.
	await picture(pau, "train-refused-dark");
	await pau.goto(`${address}/friends`);
	await pau.fill("#email", "marta@example.edu");
	await pau.click("main form button");
	await pau.waitForSelector(".badge.waiting");
	await marta.goto(`${address}/friends`);
	await picture(marta, "friends-phone");
	await marta.click("li form button");
	await marta.waitForSelector(".badge.accepted");
	await ask();
	await pau.waitForURL(/training\/\d+$/);
	// The table fills by itself.
	await pau.waitForSelector("[data-over] >> text=4 of 4");
	assert.equal(await pau.locator("main section >> text=Worst losses").count(), 1);
	await picture(pau, "training-dark", true);
	await marta.goto(`${address}/training`);
	await marta.click("main ul.rows a");
	await marta.waitForSelector("progress");
	await picture(marta, "training-phone", true);
	const wide = await marta.evaluate(() => document.documentElement.scrollWidth);
	assert.ok(wide <= 390, `the page is ${wide} wide`);
	// A match of it, and from there the player.
	await marta.click("main section ul.rows a >> nth=0");
	await marta.waitForSelector("iframe.viewer");
	await marta.click("table.results a:has-text(\"PauOne\")");
	await marta.waitForSelector("h1:has-text(\"PauOne\")");
	await picture(marta, "player-phone", true);
	await pau.goto(`${address}/seasons/requiem/players`);
	await pau.click("main a:has-text(\"PauOne\")");
	await pau.click("#module button >> nth=0");
	const link = await pau.inputValue("#link");
	await picture(pau, "player-dark", true);
	const stranger = await visit(undefined);
	const [module] = await Promise.all([stranger.waitForEvent("download"), stranger.goto(link).catch(() => {})]);
	assert.equal(module.suggestedFilename(), "PauOne.wasm");
	for (const page of [pau, marta, stranger]) await page.context().close();
});

test("the ladder updates live", async () => {
	const phone = await visit(undefined, { viewport: { width: 390, height: 844 }, hasTouch: true });
	const ladder = `${address}/seasons/dominator/ladder`;
	await phone.goto(ladder);
	await phone.waitForSelector("text=Nobody is on the ladder yet");
	const pau = await visit("pau", { viewport: { width: 1366, height: 768 }, colorScheme: "dark" });
	const marta = await visit("marta", { viewport: { width: 1366, height: 768 } });
	for (const [page, name] of [[pau, "PauClimbs"], [marta, "MartaClimbs"]]) {
		await page.goto(`${address}/seasons/dominator/submit?start=AIReaper.cc&name=${name}`);
		// An example that nobody has changed is accepted once per person.
		await page.locator("#text").evaluate((source) => { source.value += "\nint changed = 1;\n"; });
		await page.click("main form[method=post] button");
		await page.waitForSelector(".verdict.good");
		await page.click("#training form button");
		await page.waitForSelector("#training form", { state: "detached" });
		// Whoever looks sees it join, with nothing but the page that is open.
		await phone.waitForSelector(`table.ladder strong:has-text("${name}")`);
	}
	const played = () => phone.locator("table.ladder tr:has-text('MartaClimbs') td >> nth=4").innerText().then(Number);
	const before = await played();
	await phone.waitForFunction((before) => {
		const row = [...document.querySelectorAll("table.ladder tbody tr")].find((row) => row.textContent.includes("MartaClimbs"));
		return Number(row?.children[4].textContent) > before + 5;
	}, before);
	await picture(phone, "ladder-phone", true);
	const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
	assert.ok(wide <= 390, `the page is ${wide} wide`);
	for (const [page, name] of [[pau, "dark"], [marta, "light"]]) {
		await page.goto(ladder);
		await page.waitForSelector("table.ladder a:has-text('PauClimbs')");
		await picture(page, `ladder-laptop-${name}`, true);
		await page.click("table.ladder a:has-text('PauClimbs')");
		await page.waitForSelector("figure.curve svg[role=img] polyline");
		assert.match(await page.locator("figure.curve svg").getAttribute("aria-label"), / \d+[.,]\d .* ± \d+[.,]\d /);
		await picture(page, `player-laptop-${name}`, true);
	}
	// A match of it is watched; what another's player used of the CPU is not told.
	await marta.goto(`${address}/matches?season=dominator&purpose=ladder`);
	await marta.click("main ul.rows a >> nth=0");
	await marta.waitForSelector("iframe.viewer");
	for (const page of [phone, pau, marta]) await page.context().close();
});

/** The controls of a match are in sight when its page opens, whatever stands above it. */
async function matchFits(banner) {
	for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
		// An instructor's menu takes several lines on a phone.
		const page = await visit("instructor", { viewport });
		do await page.goto(`${address}/matches?purpose=demonstration`);
		while (!(await page.locator("main li a").count()));
		await page.goto(new URL(await page.locator("main li a").first().getAttribute("href"), address).href);
		await page.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor({ state: "attached" });
		assert.equal(await page.locator(".banner").count(), banner ? 1 : 0);
		const place = () => page.evaluate(() => ({ top: scrollY, bottom: document.querySelector("iframe.viewer").getBoundingClientRect().bottom, height: innerHeight }));
		const now = await place();
		assert.ok(now.top === 0 && now.bottom <= now.height && now.bottom > now.height - 2, JSON.stringify(now));
		await page.setViewportSize({ width: viewport.width, height: viewport.height - 100 });
		await page.waitForFunction(() => document.querySelector("iframe.viewer").getBoundingClientRect().bottom <= innerHeight);
		await picture(page, `match-with-banner-${viewport.width}`);
		await page.context().close();
	}
}

test("news are read in three languages, and an incident is on every page until it is over", async () => {
	const page = await visit("instructor");
	const titles = { en: "The lab is open", ca: "El laboratori és obert", es: "El laboratorio está abierto" };
	await page.goto(`${address}/news/new`);
	for (const [language, title] of Object.entries(titles)) {
		await page.fill(`#title-${language}`, title);
		await page.fill(`#text-${language}`, `**${language}** <script>alert(1)</script>`);
	}
	await page.click("main form button");
	await page.waitForSelector(`text=${titles.en}`);

	const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
	for (const [language, title] of Object.entries(titles)) {
		const reader = await visit(undefined, { ...phone, locale: language });
		await reader.goto(`${address}/news`);
		await reader.click(`text=${title}`);
		assert.equal(await reader.locator("html").getAttribute("lang"), language);
		assert.equal(await reader.locator(".prose strong").innerText(), language, "Markdown is shown as such");
		assert.equal(await reader.locator("main script").count(), 0, "and what is no Markdown is not");
		const wide = await reader.evaluate(() => document.documentElement.scrollWidth > innerWidth);
		assert.equal(wide, false, "nothing sticks out of the phone");
		const feed = await reader.evaluate(async () => (await fetch("/news.atom")).text());
		assert.ok(feed.includes(title) && feed.includes(`xml:lang="${language}"`));
		await reader.context().close();
	}

	// Whoever reads a language in which nothing was written gets one that there is.
	await page.goto(`${address}/news/new`);
	await page.selectOption("#kind", "incident");
	await page.fill("#title-ca", "El disc és ple");
	await page.click("main form button");
	const reader = await visit(undefined, { locale: "es" });
	assert.equal(await reader.innerText(".banner"), "Incidencia: El disc és ple");
	await matchFits(true);
	await reader.goto(`${address}/status`);
	await reader.waitForSelector(".banner");
	await picture(reader, "incident");
	await page.click("text=It is over");
	await page.waitForSelector(".badge >> text=over");
	await reader.reload();
	assert.equal(await reader.locator(".banner").count(), 0);
	await reader.context().close();
	await page.context().close();
});

test("a stranger sees a match play on the first page, what is open and how many take part", async () => {
	const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
	for (const options of [{ ...phone, reducedMotion: "no-preference" }, { ...phone, reducedMotion: "reduce" }]) {
		const page = await visit(undefined, options);
		// The first official matches come some time after the start.
		while (!(await page.locator("[data-viewer]").count())) await page.reload();
		assert.match(await page.innerText("main"), /Open now\s+\d[\s\S]*participants?/i);
		// It comes by itself, over the picture of its game.
		assert.equal(await page.locator("[data-viewer] img").count(), 1);
		await page.locator("iframe.featured.ready").waitFor();
		const viewer = page.frameLocator("iframe.featured");
		if (options.reducedMotion === "reduce") {
			assert.equal(await page.evaluate(() => document.querySelector("iframe.featured").contentWindow.ludus.round), 0, "it stands still");
		} else {
			await page.waitForFunction(() => document.querySelector("iframe.featured").contentWindow.ludus.round > 1);
			await viewer.locator("#play").click();
			const held = () => page.evaluate(() => document.querySelector("iframe.featured").contentWindow.ludus.round);
			const before = await held();
			await page.evaluate(async () => { for (let k = 0; k < 60; k++) await new Promise((done) => requestAnimationFrame(done)); });
			assert.equal(await held(), before, "it can be held");
		}
		await page.context().close();
	}
});

// The editor in the form for players, and the theme that a browser keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { address, picture, visit } from "./course.js";

const form = (season, start, name) => `${address}/seasons/${season}/submit?start=${start}&name=${name}`;

test("a source is written, marked and mended in the editor", async () => {
	const page = await visit("pau", { viewport: { width: 1366, height: 768 } });
	await page.goto(form("dominator", "AIReaper.cc", "Edited"));
	await page.waitForSelector(".editor .cm-content");
	assert.equal(await page.isVisible("#text"), false);
	assert.ok((await page.locator(".cm-line span[class]").count()) > 15, "it is highlighted");
	assert.equal(await page.locator(".cm-lineNumbers .cm-gutterElement >> text=/^1$/").count(), 1);
	// Tab is the editor's; Escape and Tab go on.
	await page.click(".cm-line >> nth=0");
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("int broken = nowhere;\n");
	await page.keyboard.press("Tab");
	assert.match(await page.inputValue("#text"), /^int broken = nowhere;\n    \S/);
	await page.keyboard.press("Shift+Tab");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Tab");
	assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Submit");
	await page.click(".cm-line >> nth=3");
	await page.keyboard.press("Control+f");
	await page.waitForSelector(".cm-search input[name=search]");
	await page.keyboard.type("broken");
	await page.waitForSelector(".cm-searchMatch");
	await page.keyboard.press("Escape");
	await picture(page, "editor-laptop-light");
	await page.click("main form[method=post] button");
	await page.waitForSelector(".verdict.bad >> text=nowhere");
	for (const viewport of [{ width: 390, height: 844 }, { width: 1366, height: 768 }]) {
		await page.setViewportSize(viewport);
		const bottom = await page.locator(".verdict a.button").evaluate((button) => button.getBoundingClientRect().bottom);
		assert.ok(bottom <= viewport.height, `the way on ends at ${bottom}`);
	}
	await page.click(".verdict a.button");
	await page.waitForSelector(".cm-lint-marker-error");
	assert.match(await page.locator(".notice.bad li").first().innerText(), /^Line 1: .*nowhere/);
	await picture(page, "editor-marked-laptop-light");
	await page.click("a[data-line='1']");
	await page.keyboard.press("Control+Shift+k");
	assert.doesNotMatch(await page.inputValue("#text"), /broken/);
	await page.click("main form[method=post] button");
	await page.waitForSelector(".verdict.good");
	for (const viewport of [{ width: 390, height: 844 }, { width: 1366, height: 768 }]) {
		await page.setViewportSize(viewport);
		const bottom = await page.locator(".verdict.good .actions").evaluate((actions) => actions.getBoundingClientRect().bottom);
		assert.ok(bottom <= viewport.height, `the ways on end at ${bottom}`);
		await picture(page, `accepted-${viewport.width}`);
	}
	await page.click(".verdict.good .actions a:has-text('Train')");
	assert.equal(await page.inputValue("#first"), "Edited");
	await page.goBack();
	await page.click(".verdict.good .actions a:has-text('representative')");
	await page.waitForSelector("#representative:has-text('Edited')");
	await page.context().close();
});

test("what is wrong with a name is told before anything is sent", async () => {
	const page = await visit("marta", { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" });
	await page.goto(`${address}/seasons/ants/submit`);
	// The browser itself holds back a name that cannot be one.
	await page.fill("#name", "no name");
	await page.click("#examples button");
	assert.equal(await page.evaluate(() => document.querySelector("#name").validity.patternMismatch), true);
	await page.fill("#name", "Marta1");
	await Promise.all([page.waitForURL(/name=Marta1/), page.click("#examples button")]);
	await page.locator(".cm-line >> text=#define").click();
	await page.keyboard.press("Home");
	await page.keyboard.press("Shift+End");
	await page.keyboard.type("#define PLAYER_NAME Dummy");
	await page.click("main form[method=post] button");
	await page.waitForSelector("#problem:not([hidden])");
	assert.match(await page.locator("#problem").innerText(), /^Línia \d+: .*Dummy/);
	await page.waitForSelector(".cm-lint-marker-error");
	assert.match(page.url(), /\/submit/);
	await page.waitForFunction(() => document.querySelector("#problem").getBoundingClientRect().bottom <= innerHeight);
	assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing sticks out");
	await picture(page, "editor-phone-dark");
	await page.context().close();
});

test("a theme is kept without a flash, and the viewer follows", async () => {
	const scheme = (page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
	for (const javaScriptEnabled of [true, false]) {
		const page = await visit(undefined, { colorScheme: "light", javaScriptEnabled });
		await page.click("footer >> text=Dark");
		await page.waitForSelector("html[data-theme=dark]");
		await page.goto(`${address}/status`);
		assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
		if (javaScriptEnabled) assert.equal(await scheme(page), "dark");
		await page.click("footer >> text=System");
		await page.waitForSelector("html:not([data-theme])");
		await page.context().close();
	}
	const page = await visit("pau", { colorScheme: "light" });
	await page.click("footer >> text=Dark");
	await page.waitForSelector("html[data-theme=dark]");
	do await page.goto(`${address}/matches?purpose=demonstration`);
	while (!(await page.locator("main li a").count()));
	await page.locator("main li a").first().click();
	const viewer = page.frameLocator("iframe.viewer");
	await viewer.locator("#cards li >> nth=3").waitFor();
	assert.equal(await viewer.locator("html").getAttribute("data-theme"), "dark");
	await picture(page, "match-dark");
	await page.context().close();
});

// The season of the demonstration course: a round is followed live on a phone
// and by a student, a final is presented with the keyboard in a lecture hall
// and followed on a phone; the desk and the grades.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { address, folder, ludus, picture, visit } from "./course.js";
import { wrongWith } from "./looks.js";

test("a round is followed live on a phone, and by a student", async () => {
	const phone = await visit(undefined, { viewport: { width: 390, height: 844 }, hasTouch: true });
	const student = await visit("marta", { viewport: { width: 1366, height: 768 }, colorScheme: "dark" });
	const cup = `${address}/seasons/ants-cup`;
	// The round begins by itself once every player has its verdict.
	do await phone.goto(`${cup}/rounds`);
	while (!(await phone.locator("a[href='/seasons/ants-cup/rounds/1']").count()));
	for (const page of [phone, student]) await page.goto(`${cup}/rounds/1`);
	await phone.waitForSelector(".group.played");
	await student.waitForSelector(".group.played .score");
	await picture(phone, "round-phone-light");
	await picture(student, "round-laptop-dark");
	const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
	assert.ok(wide <= 390, `the page is ${wide} wide`);
	// When it is over the page says who is out, and offers the proof.
	for (const page of [phone, student]) await page.waitForSelector(".verdict.bad h2");
	const out = await phone.locator(".verdict.bad h2").innerText();
	assert.ok((await phone.locator("li.out strong").innerText()).length > 0 && out.length > 0);
	// Strangers see players, those who are signed in see people too.
	assert.doesNotMatch(out, /\(/);
	assert.match(await student.locator(".verdict.bad h2").innerText(), /\(/);
	// The student finds the own player, and every match can be watched.
	assert.ok((await student.locator("li.own").count()) > 0);
	await phone.locator(".group.played a").first().click();
	await phone.waitForSelector("iframe.viewer");
	await phone.goto(`${cup}/rounds/1`);
	const [file] = await Promise.all([phone.waitForEvent("download"), phone.click("text=Download the proof")]);
	const path = join(folder, "cup.round");
	await file.saveAs(path);
	const verified = execFileSync(ludus, ["verify", path], { encoding: "utf8" });
	assert.match(verified, /identical/);
	for (const page of [phone, student]) await page.context().close();
});

test("a final is presented with the keyboard, and a phone follows", async () => {
	const hall = await visit("instructor", { viewport: { width: 1366, height: 768 } });
	const phone = await visit(undefined, { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" });
	// The season and its final are played in the background after the start.
	const final = `${address}/finals/dominator-final`;
	do await hall.goto(`${address}/desk`);
	while (!(await hall.locator("text=waits to be presented").count()));
	await phone.goto(final);
	assert.match(await phone.locator(".phase").innerText(), /Played/);
	assert.equal(await phone.locator(".now").count(), 0, "nothing is revealed");
	await picture(hall, "desk-laptop-light");
	await hall.click("a:has-text('Present')");
	await hall.waitForSelector("text=Everything is played, and nobody knows.");
	await picture(hall, "present-begin-laptop-light");
	assert.deepEqual(await wrongWith(hall, "/finals/dominator-final/present"), []);
	assert.deepEqual(await wrongWith(phone, "/finals/dominator-final"), []);

	const steps = Number(await hall.locator(".progress").getAttribute("data-all"));
	assert.ok(steps >= 19, `${steps} steps`);
	await hall.selectOption("#speed", "32");
	let matches = 0;
	for (let step = 1; step <= steps; step += 1) {
		await hall.keyboard.press(step % 2 ? "ArrowRight" : "Space");
		await hall.waitForSelector(`.progress[data-at='${step}']`);
		if (await hall.locator("iframe.viewer").count()) {
			matches += 1;
			// The match begins to play by itself, at the speed that was chosen.
			await hall.waitForSelector("iframe.viewer[data-state=playing]");
			const viewer = hall.frameLocator("iframe.viewer");
			assert.equal(await viewer.locator("#speed").inputValue(), "32");
			assert.equal(await viewer.locator("#chart").isVisible(), false, "it would tell how the match ends");
			if (matches === 1) {
				await hall.waitForFunction(() => document.querySelector("iframe.viewer").contentWindow.ludus.round > 3);
				await picture(hall, "present-match-laptop-light");
				// Keys work also while the viewer has the focus.
				await viewer.locator("body").click();
				await hall.keyboard.press("p");
				await hall.waitForSelector("iframe.viewer[data-state=held]");
				await phone.waitForSelector(`.now[data-step='${step}']`);
				assert.match(await phone.locator(".phase").innerText(), /Live/);
				assert.equal(await phone.locator(".now .score").count(), 0, "announced, not told");
				assert.equal(await phone.locator("a[href^='/watch/']").count(), 0);
				await picture(phone, "follow-match-phone-dark");
			}
		}
		if (matches === 1 && (await hall.locator(".now .score").count())) {
			await picture(hall, "present-outcome-laptop-light");
			await phone.waitForSelector(`.now[data-step='${step}'] .score`);
			await picture(phone, "follow-outcome-phone-dark");
			const wide = await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth);
			assert.equal(wide, false, "nothing sticks out of the phone");
		}
	}
	assert.ok(matches >= 4, `${matches} matches`);
	const champion = await hall.locator(".champion strong").innerText();
	await picture(hall, "present-champion-laptop-light");
	assert.equal(await hall.locator("#next button").isDisabled(), true);
	await hall.keyboard.press("ArrowRight");
	await phone.waitForSelector(".champion");
	assert.match(await phone.locator(".phase").innerText(), /Over/);
	assert.equal(await phone.locator(".champion strong").innerText(), champion);
	await phone.waitForSelector(".proof >> text=Seed");
	await picture(phone, "over-phone-dark");
	await phone.click(".path a >> nth=0");
	await phone.frameLocator("iframe.viewer").locator("#cards li >> nth=3").waitFor();
	await phone.context().close();
	await hall.context().close();
});

test("grades are previewed and corrected", async () => {
	const page = await visit("instructor", { colorScheme: "dark", viewport: { width: 1366, height: 900 } });
	await page.goto(`${address}/seasons/dominator-spring/grades`);
	await page.fill("#first_out", "3");
	await page.click("button:has-text('Preview')");
	await page.waitForSelector("text=This is a preview");
	assert.equal(await page.inputValue("#first_out"), "3");
	assert.equal(await page.locator(".histogram rect").count(), 20);
	await page.click("button:has-text('Save')");
	await page.waitForSelector("text=Saved.");
	await picture(page, "grades-laptop-dark", true);
	await page.click("summary:has-text('Correct a grade')");
	await page.fill("#mark", "7,5");
	await page.fill("#reason", "was ill");
	await page.click("details button");
	await page.waitForSelector("td >> text=was ill");
	const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Download as CSV")]);
	assert.equal(file.suggestedFilename(), "grades-dominator-spring.csv");
	await page.setViewportSize({ width: 390, height: 844 });
	assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
	await picture(page, "grades-phone-dark", true);
	await page.context().close();
});

// A copy that a student hands in: an instructor finds it, reads it beside the
// original, confirms it and carries it into the grades; nobody else learns of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { address, picture, root, visit } from "./course.js";
import { wrongWith } from "./looks.js";

const season = "/seasons/ants-cup";
const read = (...path) => readFileSync(join(root, ...path), "utf8");

/** The example, which wins, with what somebody has written besides. */
function player(name, file) {
	const own = read("crates/plagiarism/testset", file)
		.replace(/^#(include|define) .*$/gm, "")
		.replace(/^RegisterPlayer.*$/m, "")
		.replaceAll("PLAYER_NAME", "Plan");
	const example = read("content/ants/players/AIForager.cc").replace("PLAYER_NAME Forager", `PLAYER_NAME ${name}`);
	return example.replace('#include "Player.hh"\n', (head) => head + own);
}

test("an instructor finds a planted copy, reads it side by side, confirms it, and sees it in the grades; a student and a stranger get nothing", async () => {
	for (const [name, file] of [["marta", "ants/Tortuga.cc"], ["pau", "copies/Tartaruga.cc"]]) {
		const page = await visit(name);
		await page.goto(`${address}${season}/submit`);
		const buffer = Buffer.from(player(`Own_${name}`, file));
		await page.setInputFiles("#file", { name: "AIx.cc", mimeType: "text/plain", buffer });
		await page.click("main form[method=post] button");
		await page.waitForURL(/submissions\/\d+$/);
		await page.waitForSelector(".verdict.good");
		await page.context().close();
	}
	const laia = await visit("instructor", { viewport: { width: 1366, height: 900 } });
	// It is compared when nobody waits for anything else.
	const found = `a[href='${season}/likeness?state=new']`;
	do await laia.goto(`${address}/desk`);
	while (!(await laia.locator(found).count()));
	await laia.click(found);
	await picture(laia, "likeness-list-laptop-light");
	assert.deepEqual(await wrongWith(laia, "/seasons/ants-cup/likeness"), []);
	await laia.click("td a[href^='/likeness/']");
	await laia.waitForSelector(".sources pre");
	const run = laia.locator(".source >> nth=0").locator("a.run >> nth=3");
	const partner = (await run.getAttribute("href")).slice(1);
	await run.click();
	assert.match(await laia.locator(`#${partner}`).getAttribute("class"), /here/, "a click shows the other side");
	assert.equal(await laia.locator(".sources .source").count(), 2, "both sources are there, side by side");
	await picture(laia, "likeness-pair-laptop-light");
	assert.deepEqual(await wrongWith(laia, "/likeness/1"), []);
	await laia.emulateMedia({ media: "print" });
	assert.equal(await laia.locator("header.site").isVisible(), false, "the page prints without what is around it");
	await laia.emulateMedia({ media: "screen" });
	await laia.selectOption("#state", "confirmed");
	await laia.fill("#reason", "both admitted it");
	await laia.click("form.card button");
	await laia.waitForSelector(".badge.rejected");
	const pair = new URL(laia.url()).pathname;
	await laia.locator(`form[action='${season}/grades/correct'] button >> nth=1`).click();
	await laia.waitForURL(/grades\?said=saved$/);
	assert.match(await laia.locator("main table").innerText(), /Copied code \(case \d+\): both admitted it/);
	await laia.context().close();

	const likeness = `${season}/likeness`;
	const read = [
		pair,
		likeness,
		`${likeness}?state=new`,
		`${likeness}?state=confirmed`,
		`${season}/grades`,
		"/desk",
		"/actions?action=review-likeness",
	];
	const write = [pair, `${pair}/behaviour`, `${likeness}/again`, `${season}/grades/correct`];
	for (const name of ["pau", "marta", undefined]) {
		const page = await visit(name);
		const refused = async (answer, path) => {
			assert.equal(answer.status(), name ? 403 : 303, `${path} of ${name ?? "a stranger"}`);
			assert.doesNotMatch(await answer.text(), /Own_|Tortuga|both admitted|Copied code/, path);
		};
		for (const path of read) await refused(await page.request.get(`${address}${path}`, { maxRedirects: 0 }), path);
		// With the token that forms have, so that nothing but the role refuses it.
		await page.goto(`${address}/sign-in`);
		const csrf = await page.locator("input[name=csrf]").first().getAttribute("value");
		const form = { csrf, state: "dismissed", reason: "said by nobody", mark: "10" };
		for (const path of write) {
			await refused(await page.request.post(`${address}${path}`, { maxRedirects: 0, form }), path);
		}
		await page.context().close();
	}
	// Nothing of it has changed anything.
	const again = await visit("instructor");
	await again.goto(`${address}${pair}`);
	await again.waitForSelector(".badge.rejected");
	assert.match(await again.locator("main").innerText(), /both admitted it/);
	assert.doesNotMatch(await again.locator("main").innerText(), /said by nobody/);
	await again.context().close();
});

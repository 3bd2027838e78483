// A token is made on a page, used by a program and revoked, in Chromium.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { address, ludus, picture, root, visit } from "./course.js";

const folder = mkdtempSync(join(tmpdir(), "ludus-student-"));

/** Runs `ludus` as a student does: its exit status and what it prints. */
function run(token, ...words) {
	const env = { ...process.env, LUDUS_URL: address, LUDUS_TOKEN: token };
	return new Promise((done) => {
		execFile(ludus, words, { cwd: folder, env }, (error, out, told) => done({ status: error ? error.code : 0, out, told }));
	});
}

test("a token is made, used and revoked", async () => {
	const page = await visit("pau");
	await page.click(".who a");
	await page.click("a.button:has-text(\"Tokens for programs\")");
	await picture(page, "tokens-none", true);
	await page.fill("#name", "my laptop");
	await page.click("text=Make the token");
	const token = await page.inputValue("#token");
	assert.match(token, /^ludus_[0-9a-f]{64}$/);
	await picture(page, "tokens-made", true);
	await page.goto(`${address}/account/tokens`);
	assert.equal((await page.content()).includes(token), false, "it is shown once");
	assert.match(await page.locator(".rows li").innerText(), /my laptop[\s\S]*read · submit · train[\s\S]*never used/);

	// The browser's own session is worth nothing to calls, and the token nothing to pages.
	const call = (path, headers) => page.evaluate(async ([path, headers]) => (await fetch(path, { headers })).status, [path, headers]);
	const bearer = { authorization: `Bearer ${token}` };
	assert.equal(await call("/api/v1/openapi.json", {}), 200);
	assert.equal(await call("/api/v1/me", bearer), 200);
	const stranger = await fetch(`${address}/account`, { headers: bearer, redirect: "manual" });
	assert.equal(stranger.status, 303);

	const player = readFileSync(join(root, "crates/judge/tests/players/AIReaper.cc"), "utf8");
	writeFileSync(join(folder, "AITyped.cc"), player.replace(/PLAYER_NAME \w+/, "PLAYER_NAME Typed"));
	const { status, out, told } = await run(token, "submit", "AITyped.cc", "--season", "dominator", "--wait");
	assert.match(told, /done/);
	const id = told.match(/submission (\d+)/)[1];
	await page.goto(`${address}/submissions/${id}`);
	const verdict = await page.locator(".verdict h2").innerText();
	assert.equal(out.split("\n")[0], `Typed: ${verdict}`, "the same verdict as on the page");
	assert.equal(status, verdict === "Accepted" ? 0 : 1);

	await page.goto(`${address}/api`);
	await page.waitForSelector("code:has-text(\"/seasons/{slug}/submissions\")");
	await picture(page, "api");
	await page.goto(`${address}/account/tokens`);
	assert.match(await page.locator(".rows li").innerText(), /last used/);
	await page.click("text=Revoke");
	await page.waitForSelector("text=No tokens");
	const over = await run(token, "status");
	assert.equal(over.status, 2);
	assert.match(over.told, /token-wrong/);
	await page.context().close();
	rmSync(folder, { recursive: true });
});

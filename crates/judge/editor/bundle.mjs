// Makes the one file with the editor of the site. Its first line says of what it
// was made and what it holds, and crates/judge/src/web/assets.rs checks both.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const output = join(import.meta.dirname, "../assets/editor.js");
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const read = (name) => readFileSync(join(folder, name));

const { outputFiles, metafile } = await build({
	entryPoints: [join(folder, "editor.js")],
	absWorkingDir: folder,
	bundle: true,
	minify: true,
	format: "esm",
	target: "es2022",
	charset: "utf8",
	legalComments: "inline",
	metafile: true,
	write: false,
});

const packages = new Set(Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
const listed = [...packages].sort().map((name) => `${name} ${JSON.parse(read(`node_modules/${name}/package.json`)).version}`);
for (const name of packages) {
	const { license } = JSON.parse(read(`node_modules/${name}/package.json`));
	if (license !== "MIT") throw new Error(`${name} has the licence ${license}: say so in the file`);
}
const licence = read("node_modules/@codemirror/view/LICENSE").toString().trim();
const body = `/*!\nThe editor of Ludus, with ${listed.join(", ")}, under this licence:\n\n${licence}\n*/\n${outputFiles[0].text}`;
const sources = readdirSync(folder).filter((name) => /\.js(on)?$/.test(name)).sort();
const head = `// Made by scripts/bundle-editor of sources ${sha256(...sources.map(read))}; what follows is ${sha256(body)}.\n`;
writeFileSync(output, head + body);
console.log(`${output}: ${head.length + body.length} bytes`);

// The editor of the form for players. It takes the place of the text area, which
// stays in the form and holds what is sent: without this script nothing is lost.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { cpp } from "@codemirror/legacy-modes/mode/clike";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { PHRASES } from "./phrases.js";

/** Colours are those of the page, so that they change with its theme. */
const colours = HighlightStyle.define([
	{ tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier, tags.operatorKeyword, tags.self], color: "var(--code-keyword)" },
	{ tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.typeName)], color: "var(--code-type)" },
	{ tag: [tags.string, tags.character, tags.special(tags.string)], color: "var(--code-text)" },
	{ tag: [tags.number, tags.bool, tags.null, tags.atom, tags.literal], color: "var(--code-number)" },
	{ tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--soft)", fontStyle: "italic" },
	{ tag: [tags.processingInstruction, tags.meta, tags.macroName, tags.annotation], color: "var(--code-macro)" },
	{ tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.definition(tags.function(tags.variableName))], color: "var(--code-call)" },
]);

const look = EditorView.theme({
	"&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)" },
	"&.cm-focused": { outline: "none" },
	".cm-scroller": { fontFamily: "ui-monospace, 'Cascadia Mono', Menlo, monospace", lineHeight: "1.5" },
	".cm-content": { caretColor: "var(--ink)" },
	".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
	".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--page)", borderRight: "1px solid var(--line)" },
	".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
	".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--hover)" },
	"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--code-selected)" },
	".cm-selectionMatch": { backgroundColor: "var(--code-match)" },
	".cm-searchMatch": { backgroundColor: "var(--code-match)", outline: "1px solid var(--busy)" },
	".cm-searchMatch-selected": { backgroundColor: "var(--code-selected)" },
	"&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-match)" },
	"&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-page)" },
	".cm-panels": { color: "var(--ink)", backgroundColor: "var(--surface)" },
	".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
	".cm-textfield": { minHeight: "32px", border: "1px solid var(--edge)", borderRadius: "6px", color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: "inherit" },
	".cm-button": { minHeight: "32px", border: "1px solid var(--edge)", borderRadius: "6px", color: "var(--ink)", backgroundColor: "var(--surface)", backgroundImage: "none", fontSize: "inherit" },
	".cm-panel button[name=close]": { minWidth: "32px", minHeight: "32px", color: "var(--ink)", fontSize: "1.25rem" },
	".cm-panel label": { fontSize: "inherit" },
	".cm-tooltip": { border: "1px solid var(--edge)", color: "var(--ink)", backgroundColor: "var(--surface)" },
	".cm-diagnostic": { maxWidth: "36rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
	".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
	".cm-diagnostic-warning": { borderLeftColor: "var(--busy)" },
	".cm-marked": { backgroundColor: "var(--bad-page)" },
});

/** The modes that read line by line: whole grammars would double the file. */
const languages = { cpp: StreamLanguage.define(cpp), rust: StreamLanguage.define(rust) };

/** Pasted, a source is known as the judge knows it: Rust players name their crate. @param {string} text */
const languageOf = (text) => (text.includes("ludus_player") ? "rust" : "cpp");

/**
 * Marks at lines, as the editor wants them.
 * @param {import("@codemirror/state").Text} text
 * @param {{line: number, column?: number, kind?: "error" | "warning", text: string}[]} marks
 */
function diagnostics(text, marks) {
	return marks.filter(({ line }) => line >= 1 && line <= text.lines).map(({ line, column, kind, text: message }) => {
		const at = text.line(line);
		// A column counts bytes; it only chooses the word that is underlined.
		const start = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
		const word = /^\w+/.exec(at.text.slice(start - at.from))?.[0].length ?? 1;
		const from = column ? start : at.from + (at.text.length - at.text.trimStart().length);
		const to = column ? Math.min(at.to, start + word) : at.to;
		return { from, to: Math.max(from, to), severity: kind ?? "error", message };
	}).sort((one, other) => one.from - other.from);
}

/** @param {HTMLTextAreaElement} area */
function edit(area) {
	const box = document.createElement("div");
	box.className = "editor";
	area.after(box);
	// Inside a root of its own the editor adopts its styles, so that the page
	// needs no exception from its policy.
	const root = box.attachShadow({ mode: "open" });
	const language = new Compartment();
	let spoken = languageOf(area.value);
	const label = area.labels?.[0];
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: area.value,
			extensions: [
				EditorState.phrases.of(PHRASES[document.documentElement.lang] ?? {}),
				EditorView.contentAttributes.of({ "aria-label": `${label?.textContent ?? ""}. ${area.dataset.keys ?? ""}` }),
				lintGutter(), lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), highlightSpecialChars(), drawSelection(),
				history(), indentOnInput(), bracketMatching(), highlightSelectionMatches(), search(),
				indentUnit.of("    "), EditorState.tabSize.of(4),
				language.of(languages[spoken]), syntaxHighlighting(colours), look,
				keymap.of([...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
				EditorView.updateListener.of((update) => {
					if (!update.docChanged) return;
					area.value = update.state.doc.toString();
					const now = languageOf(area.value);
					if (now === spoken) return;
					spoken = now;
					queueMicrotask(() => view.dispatch({ effects: language.reconfigure(languages[now]) }));
				}),
			],
		}),
	});
	area.hidden = true;
	label?.addEventListener("click", () => view.focus());
	return view;
}

/** @param {EditorView} view @param {number} line */
function goTo(view, line) {
	const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
	view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
}

const area = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("textarea[data-editor]"));
if (area?.form) {
	const { form } = area;
	const view = edit(area);
	const mark = (marks) => view.dispatch(setDiagnostics(view.state, diagnostics(view.state.doc, marks)));
	mark(JSON.parse(area.dataset.marks ?? "[]"));
	for (const link of document.querySelectorAll("a[data-line]")) {
		link.addEventListener("click", (event) => {
			event.preventDefault();
			view.dom.scrollIntoView({ block: "nearest" });
			goTo(view, Number(link.dataset.line));
			view.focus();
		});
	}
	const problem = document.querySelector("#problem");
	let busy = false;
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		if (busy) return;
		busy = true;
		problem.hidden = true;
		// What the judge would refuse is told here; where it cannot be asked, it is sent.
		const answer = await fetch(form.dataset.check, { method: "POST", body: new FormData(form) }).catch(() => null);
		const wrong = answer?.ok ? await answer.json().catch(() => null) : null;
		if (!wrong?.text) return form.submit();
		busy = false;
		problem.textContent = wrong.told;
		problem.hidden = false;
		// A file that was chosen is not what the editor shows.
		const isShown = !form.elements.namedItem("file")?.value;
		mark(isShown && wrong.line ? [{ line: wrong.line, text: wrong.text }] : []);
		if (isShown && wrong.line) goTo(view, wrong.line);
		// The editor shows the line in its next frame; what is wrong with it stays
		// in sight below, where the eye is.
		requestAnimationFrame(() => requestAnimationFrame(() => problem.scrollIntoView({ block: "nearest" })));
	});
	// A page that comes back from the browser's memory can be sent again.
	addEventListener("pageshow", () => { busy = false; });
}

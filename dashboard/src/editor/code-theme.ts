import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** CodeMirror marks a problem with an image in a data URL, which the policy of the page does not allow. */
const underlined = (colour: string) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy 1px ${colour}`,
  textUnderlineOffset: "3px",
});

const looks = EditorView.theme({
  "&": {
    maxHeight: "max(24rem, 70vh)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--round)",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "var(--small)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { overflow: "auto", fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content, .cm-gutter": { minHeight: "9rem" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px 0 8px" },
  // Of the weight of every other hint.
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-gutters": {
    border: "none",
    borderRadius: "var(--round) 0 0 var(--round)",
    backgroundColor: "var(--sunken)",
    color: "var(--muted)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--sunken) 60%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--blue-ground)" },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--round)",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    boxShadow: "var(--float)",
    fontFamily: "var(--sans)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { marginLeft: "1em", fontStyle: "normal", opacity: "0.8" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "22rem", padding: "6px 10px", lineHeight: "1.45" },
  ".cm-diagnostic": { padding: "5px 10px", lineHeight: "1.45", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--red)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--amber)" },
  ".cm-diagnostic-info": { borderLeft: "3px solid var(--grey)" },
  ".cm-lintRange-error": underlined("var(--red)"),
  ".cm-lintRange-warning": underlined("var(--amber)"),
  ".cm-lintRange-info": underlined("var(--grey)"),
  ".cm-lintRange-active": { backgroundColor: "var(--red-ground)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--blue)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--green)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--amber)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: "var(--muted)" },
  { tag: [tags.heading], color: "var(--text)", fontWeight: "700" },
  { tag: [tags.strong], fontWeight: "700" },
  { tag: [tags.emphasis], fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.monospace], color: "var(--green)" },
]);

/** How text is shown: in the colours of the page, by day and by night. */
export const codeTheme: Extension = [looks, syntaxHighlighting(colours)];

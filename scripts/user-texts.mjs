// Texts that users may see, with their lines: what is written in prose in a source file, a page or a schema.

import { extname } from "node:path";
import ts from "typescript";

/** @returns {{ line: number, text: string }[]} code between backticks is left out */
export function textsOf(path, content) {
  const texts = READERS[extname(path)]?.(path, content) ?? [];
  return texts.map(({ line, text }) => ({ line, text: text.replaceAll(/`[^`\n]*`/g, "``") }));
}

const READERS = {
  ".ts": sourceTexts,
  ".tsx": sourceTexts,
  ".mjs": sourceTexts,
  ".cjs": sourceTexts,
  ".md": pageTexts,
  ".html": pageTexts,
  ".json": schemaTexts,
};

/** Strings, templates and JSX of several words; not comments, and no statements of SQL. */
function sourceTexts(path, content) {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true, kind);
  const texts = [];
  const add = (node, text) => {
    if (
      !/[a-z]\w* +\S*[a-z]/i.test(text) ||
      /^\s*(select|insert|update|delete|with|create|drop|alter|pragma)\b/i.test(text)
    )
      return;
    texts.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  };
  const visit = (node) => {
    if (ts.isTemplateExpression(node)) {
      // The words around a value are one sentence.
      const spans = node.templateSpans.map(({ literal }) => literal.text);
      add(node, [node.head.text, ...spans].join("…"));
      for (const { expression } of node.templateSpans) visit(expression);
      return;
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
      add(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Prose outside of fenced code and comments, by its lines. */
function pageTexts(_path, content) {
  let isFenced = false;
  return content
    .replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .split("\n")
    .flatMap((text, index) => {
      const isFence = /^\s*(```|~~~)/.test(text);
      if (isFence) isFenced = !isFenced;
      return isFence || isFenced ? [] : [{ line: index + 1, text: text.replaceAll(/\]\([^)]*\)/g, "]") }];
    });
}

/** Titles and descriptions. */
function schemaTexts(_path, content) {
  return content.split("\n").flatMap((text, index) => {
    const [, words] = /^\s*"(?:title|description)": "(.*)",?$/.exec(text) ?? [];
    return words === undefined ? [] : [{ line: index + 1, text: words }];
  });
}

// Texts that users may see, with their lines: what is written in prose in a source file, a page or a schema. And what developers
// read in a source file: its comments, and the names that it declares.

import { extname } from "node:path";
import ts from "typescript";

/** @returns {{ line: number, text: string }[]} code between backticks is left out */
export function textsOf(path, content) {
  return withoutCode(READERS[extname(path)]?.(path, content) ?? []);
}

/** @returns {{ line: number, text: string }[]} each line of a comment, and each new name as words */
export function commentsOf(path, content) {
  const source = parse(path, content);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  /** By where they start: a comment stands before one node, and behind another. */
  const comments = new Map();
  const names = [];
  const jsxTexts = [];
  const visit = (node) => {
    if (ts.isJsxText(node)) jsxTexts.push(node);
    else {
      const ranges = [
        ...(ts.getLeadingCommentRanges(content, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(content, node.getEnd()) ?? []),
      ];
      for (const { pos, end } of ranges) comments.set(pos, content.slice(pos, end));
    }
    if (ts.isIdentifier(node) && node.parent.name === node && declares(node.parent))
      names.push({ line: lineAt(node.getStart()), text: wordsOf(node.text) });
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  for (const { pos, end } of jsxTexts)
    for (const start of comments.keys()) if (pos <= start && start < end) comments.delete(start);
  const lines = [...comments].flatMap(([start, text]) =>
    text.split("\n").map((part, index) => ({ line: lineAt(start) + index, text: part })),
  );
  return [...withoutCode(lines), ...names];
}

/** Whether the name of a node is made there: others use a name that another line has declared. */
function declares(node) {
  if (ts.isBindingElement(node)) return node.propertyName !== undefined;
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

/** Names with a `_` are those of columns and of the API. */
function wordsOf(name) {
  return name.includes("_") ? name : name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}

function withoutCode(texts) {
  return texts.map(({ line, text }) => ({ line, text: text.replaceAll(/`[^`\n]*`/g, "``") }));
}

function parse(path, content) {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true, kind);
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
  const source = parse(path, content);
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

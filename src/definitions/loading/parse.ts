import matter from "gray-matter";
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLMap,
} from "yaml";
import { MAX_PROBLEMS_OF_FILE, type Position, type Problem, type ProblemCode } from "../problem.ts";
import { explainYamlError } from "./explain-yaml-error.ts";
import { isRoundedAt, keyPlaceAt, offsetOf, type Places, placeAt, placesOf, positionOf } from "./places.ts";

/** A place inside a document: keys and list indexes from its root. */
export type DataPath = readonly (string | number)[];

/** A file that has been read as data, and knows where each piece of it stands. */
export interface ParsedFile {
  path: string;
  /** The mapping of a YAML file or of a front matter; an empty one is `{}`. */
  data: Record<string, unknown>;
  /** The text below the front matter, without its last line end; of a YAML file, empty. */
  body: string;
  places: Places;
  /** Where the value at a data path stands, or the nearest mapping around what is missing. */
  at(path: DataPath): Position;
  /** Where the key of the entry at a data path stands. */
  atKey(path: DataPath): Position;
  /** Whether the number at a data path has more digits than its reader could keep. */
  isRounded(path: DataPath): boolean;
}

export type ParseResult = { file: ParsedFile } | { problems: Problem[] };

/** Far above what a definition needs, far below what overflows a stack: the YAML library composes recursively. */
const DEEPEST_NESTING = 64;
/** gray-matter looks for comments from each line end through all blanks behind it, which takes time by their square. */
const MAX_BLANK = 1_000;

/**
 * Reads a YAML file of the definition format: one document, a mapping with unique text keys, and no anchors,
 * aliases, tags, merge keys or directives so that what is written is what is meant.
 */
export function parseYaml(path: string, text: string): ParseResult {
  return parseYamlText(path, normalizeLineEnds(text));
}

/** Reads a Markdown file with front matter: a line that is exactly `---`, YAML, another such line, the body. */
export function parseMarkdown(path: string, text: string): ParseResult {
  const source = normalizeLineEnds(text);
  const lines = source.split("\n");
  const closing = lines.indexOf("---", 1);
  if (lines[0] !== "---") return malformed(path, 1, 'expected the first line to be exactly "---"');
  if (closing < 0)
    return malformed(path, 1, 'expected another line that is exactly "---" to close the front matter');
  const between = lines
    .slice(1, closing)
    .map((line) => `\n${line}`)
    .join("");
  if (between.match(/\s+/g)?.some((blank) => blank.length > MAX_BLANK))
    return malformed(
      path,
      1,
      `found more than ${MAX_BLANK} consecutive blank characters in the front matter`,
    );

  let result: ParseResult | undefined;
  const parsed = matter(source, {
    language: "yaml",
    engines: {
      yaml: (frontMatter: string) => {
        result = parseYamlText(path, frontMatter);
        return {};
      },
      json: refuseEngine,
      javascript: refuseEngine,
      coffee: refuseEngine,
    },
  });
  if (parsed.matter !== between) {
    const line = lines.findIndex((text, index) => index > 0 && text.startsWith("---")) + 1;
    return malformed(
      path,
      line,
      'a line that starts with "---" inside the front matter must be exactly "---"',
    );
  }
  const body = parsed.content.replace(/\n$/, "");
  const read = result ?? parseYamlText(path, "");
  return "file" in read ? { file: { ...read.file, body } } : read;
}

function refuseEngine(): never {
  throw new Error("front matter must be YAML");
}

function malformed(path: string, line: number, message: string): ParseResult {
  return {
    problems: [{ code: "FF_MALFORMED_FRONTMATTER", message, path, line, column: 1, severity: "error" }],
  };
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function parseYamlText(path: string, text: string): ParseResult {
  const lineCounter = new LineCounter();
  const problems: Problem[] = [];
  const report: Report = (code, message, offset) => {
    if (problems.length < MAX_PROBLEMS_OF_FILE)
      problems.push({
        code,
        message,
        path,
        ...positionOf(lineCounter.lineStarts, offset),
        severity: "error",
      });
  };
  const document = withoutStacks(() => compose(text, lineCounter, report));
  if (document) {
    for (const error of document.errors)
      report(yamlCode(error.code), explainYamlError(error.message), error.pos[0]);
    reportUnwanted(document, report);
    if (problems.length === 0 && document.contents !== null && !isMap(document.contents)) {
      const how = isScalar(document.contents) ? ", written as `key: value`" : "";
      report(
        "FF_INVALID_DOCUMENT",
        `expected keys and values (a mapping)${how}`,
        offsetOf(document.contents),
      );
    }
  }
  if (problems.length > 0) return { problems };
  const data = (document?.contents == null ? {} : document.toJS()) as Record<string, unknown>;
  const { places, rounded } = placesOf(document?.contents ?? null, data, lineCounter);
  return {
    file: {
      path,
      data,
      body: "",
      places,
      at: (dataPath) => placeAt(places, data, dataPath),
      atKey: (dataPath) => keyPlaceAt(places, data, dataPath),
      isRounded: (dataPath) => isRoundedAt({ places, rounded }, data, dataPath),
    },
  };
}

type Report = (code: ProblemCode, message: string, offset: number) => void;

/** The YAML library makes an Error of each thing that is wrong; where that was noticed in its code takes most of the time. */
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Text to tokens to document. Nesting is watched while tokens come, before anything recursive sees them. */
function compose(text: string, lineCounter: LineCounter, report: Report): Document | undefined {
  lineCounter.addNewLine(0);
  const parser = new Parser(lineCounter.addNewLine);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > DEEPEST_NESTING) {
      report("FF_INVALID_YAML", `is nested more than ${DEEPEST_NESTING} levels deep`, parser.offset);
      return undefined;
    }
  }
  tokens.push(...parser.end());
  const directive = tokens.find((token) => token.type === "directive");
  if (directive) report("FF_INVALID_YAML", "directives (%YAML, %TAG) are not allowed", directive.offset);
  // Keys are checked for uniqueness below: the library compares each with each, which is slow for a hostile file.
  const composer = new Composer({ version: "1.2", uniqueKeys: false, merge: false, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (second) report("FF_INVALID_YAML", "expected one document; a second one starts here", second.range[0]);
  return document;
}

function reportUnwanted(document: Document, report: Report): void {
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node))
        report("FF_ALIAS", "aliases (*name) are not allowed: write out the value", offsetOf(node));
      else if (node.anchor) report("FF_ANCHOR", "anchors (&name) are not allowed", offsetOf(node));
      if (node.tag) report("FF_TAG", "tags (!name) are not allowed", offsetOf(node));
      if (isMap(node)) reportKeys(node, report);
    },
  });
}

function reportKeys(map: YAMLMap, report: Report): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === null) {
      report("FF_INVALID_YAML", "expected a key that is a string", offsetOf(isNode(key) ? key : map));
      continue;
    }
    const name = String(key.value);
    if (name === "<<" && key.type === "PLAIN") {
      report("FF_INVALID_YAML", "merge keys (<<) are not allowed: write out the keys", offsetOf(key));
    }
    if (seen.has(name)) report("FF_DUPLICATE_KEY", `duplicate key "${name}"`, offsetOf(key));
    seen.add(name);
  }
}

function yamlCode(code: string): ProblemCode {
  if (code === "BAD_ALIAS") return "FF_ALIAS";
  if (code === "TAG_RESOLVE_FAILED") return "FF_TAG";
  if (code === "DUPLICATE_KEY") return "FF_DUPLICATE_KEY";
  return "FF_INVALID_YAML";
}

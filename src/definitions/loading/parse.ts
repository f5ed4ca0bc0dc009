import matter from "gray-matter";
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from "yaml";
import {
  FILE_START,
  MAX_PROBLEMS_OF_FILE,
  type Position,
  type Problem,
  type ProblemCode,
} from "../problem.ts";

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

/** What the YAML library says, and what a person can do about it. Others of its messages say so themselves. */
const REMEDIES: Readonly<Record<string, string>> = {
  "Implicit keys need to be on a single line":
    "expected `key: value` on one line: a colon is missing, or the space after it",
  "Implicit map keys need to be followed by map values":
    "expected `key: value` on one line: a colon is missing, or the space after it",
  "Nested mappings are not allowed in compact mappings":
    "expected one `key: value` per line: quote a value that contains a colon and a space, and indent all keys of a mapping equally",
  "Sequence item without - indicator":
    'expected a line that starts with "- ", or a line that is indented as far as the text after the "- " above',
};

/** The first line of an error of the YAML library, in the words of whoever has written the file. */
function explainYamlError(message: string): string {
  const line = (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
  return REMEDIES[line] ?? line;
}

/**
 * Where everything stands in a text that has been parsed: for each value, in the order in which a walk through the data meets
 * them, where it stands, where its key stands, and how many entries it takes with all that is in it. Numbers and nothing else:
 * they are made for each file while its syntax tree is at hand, and are sent from thread to thread.
 */
export interface Places {
  entries: Uint32Array;
  /** Where each line begins. */
  lines: Uint32Array;
}

const FIELDS = 3;
const [VALUE, KEY, SIZE] = [0, 1, 2];

/** Finds the entries of numbers whose reader has rounded them. */
export type RoundedEntries = ReadonlySet<number>;

/** Notes where the values of a document stand. @param data what the document says */
function placesOf(
  root: Node | null,
  data: unknown,
  lineCounter: LineCounter,
): { places: Places; rounded: RoundedEntries } {
  const entries: number[] = [];
  const rounded = new Set<number>();
  const note = (node: Node, value: unknown, keyOffset: number): void => {
    const own = entries.length;
    entries.push(offsetOf(node), keyOffset, 0);
    if (typeof value === "number" && isScalar(node) && isRoundedFrom(node.source ?? "", value))
      rounded.add(own);
    if (Array.isArray(value) && isSeq(node)) {
      for (const [index, inner] of value.entries()) {
        const item = node.items[index];
        const found = isNode(item) ? item : node;
        note(found, inner, offsetOf(found));
      }
    } else if (typeof value === "object" && value !== null && isMap(node)) {
      const pairs = pairsOf(node);
      for (const [name, inner] of Object.entries(value)) {
        const pair = pairs.get(name);
        const key = pair && isNode(pair.key) ? pair.key : node;
        note(pair && isNode(pair.value) ? pair.value : key, inner, offsetOf(key));
      }
    }
    entries[own + SIZE] = (entries.length - own) / FIELDS;
  };
  if (root) note(root, data, offsetOf(root));
  const places = { entries: Uint32Array.from(entries), lines: Uint32Array.from(lineCounter.lineStarts) };
  return { places, rounded };
}

/** Whether a number has other digits than those it was read from: 0.12345678901234567 stands for its neighbors too. */
function isRoundedFrom(source: string, value: number): boolean {
  const written = significant(source);
  return written !== undefined && written !== significant(String(value));
}

/** The digits of a decimal without the zeros around them, and its exponent; nothing for another form of number. */
function significant(text: string): string | undefined {
  const [, whole, fraction = "", exponent = "0"] =
    /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  // No expression for the end: one that looks for it from every zero takes a minute for a long number.
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const kept = digits.slice(0, end);
  return kept === "" ? "0" : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Whether the number at a data path was rounded when it was read. */
function isRoundedAt(
  { places, rounded }: { places: Places; rounded: RoundedEntries },
  data: unknown,
  path: DataPath,
): boolean {
  return rounded.size > 0 && rounded.has(nearestEntry(places, data, path));
}

function pairsOf({ items }: YAMLMap): Map<string, YAMLMap["items"][number]> {
  return new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
}

/** Where the value at a data path stands, or the nearest one around what is missing. */
export function placeAt(places: Places, data: unknown, path: DataPath): Position {
  return positionAt(places, nearestEntry(places, data, path) + VALUE);
}

/** Where the key of the entry at a data path stands. */
function keyPlaceAt(places: Places, data: unknown, path: DataPath): Position {
  return positionAt(places, nearestEntry(places, data, path) + KEY);
}

function nearestEntry(places: Places, data: unknown, path: DataPath): number {
  let at = 0;
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null) break;
    const inner = entriesIn(value, at, places).get(String(step));
    if (inner === undefined) break;
    at = inner;
    value = (value as Record<string | number, unknown>)[step];
  }
  return at;
}

/** A file with many problems is asked for as many places, mostly of the same list or mapping. */
const known = new WeakMap<object, Map<string, number>>();

/** The entries of what is in a value, by their keys. @param own the entry of the value itself */
function entriesIn(value: object, own: number, { entries }: Places): Map<string, number> {
  const found = known.get(value);
  if (found) return found;
  let at = own + FIELDS;
  const inner = new Map<string, number>();
  for (const name of Object.keys(value)) {
    inner.set(name, at);
    at += FIELDS * (entries[at + SIZE] ?? 1);
  }
  known.set(value, inner);
  return inner;
}

function positionAt({ entries, lines }: Places, field: number): Position {
  const offset = entries[field];
  return offset === undefined ? FILE_START : positionOf(lines, offset);
}

/** The line and column of a character. */
function positionOf(lines: ArrayLike<number>, offset: number): Position {
  let [first, last] = [0, lines.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((lines[middle] ?? 0) <= offset) first = middle + 1;
    else last = middle;
  }
  return first === 0 ? FILE_START : { line: first, column: offset - (lines[first - 1] ?? 0) + 1 };
}

/** Where a node begins, in characters from the start of its text. */
function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

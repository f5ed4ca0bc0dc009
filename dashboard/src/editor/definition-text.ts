import { Document, isMap, isNode, isScalar, Pair, parseDocument, Scalar } from "yaml";
import { joinFrontMatter, splitFrontMatter } from "./front-matter.ts";

/** A place inside a document: keys and list indexes from its root. */
export type DataPath = readonly (string | number)[];

export interface ReadText {
  /** What the YAML says. */
  data: Record<string, unknown>;
  /** What stands below a front matter; empty for a file that is YAML alone. */
  body: string;
}

/** Long lines stay as they are, and so does how values are quoted. */
const AS_WRITTEN = { lineWidth: 0, flowCollectionPadding: true } as const;

/** What a file says, or nothing while its YAML cannot be read. */
export function readText(path: string, text: string): ReadText | undefined {
  const { head, body } = partsOf(path, text);
  if (head === undefined) return undefined;
  const document = parseDocument(head);
  if (document.errors.length > 0) return undefined;
  const data: unknown = document.toJS() ?? {};
  return typeof data === "object" && !Array.isArray(data)
    ? { data: data as Record<string, unknown>, body }
    : undefined;
}

/**
 * The same file with another value at one place. Everything else stays, comments and keys that no one here knows
 * included.
 */
export function withValue(path: string, text: string, at: DataPath, value: unknown): string {
  return edited(path, text, at[0], (document) => {
    const before = document.getIn(at, true);
    if (value === undefined) removeAt(document, at);
    // What is written behind it belongs to the node.
    else if (isScalar(before) && isPlain(value)) before.value = value;
    else document.setIn(at, document.createNode(value, { flow: isSmall(value) }));
  });
}

/** The same file with one more item at the end of a list, which is made when there is none. */
export function withItem(path: string, text: string, list: DataPath, item: unknown): string {
  return edited(path, text, list[0], (document) => {
    if (document.hasIn(list)) document.addIn(list, document.createNode(item));
    else document.setIn(list, document.createNode([item]));
  });
}

/** The same file with another text below its front matter. */
export function withBody(text: string, body: string): string {
  const parts = splitFrontMatter(text);
  return parts ? joinFrontMatter({ ...parts, body }) : text;
}

function edited(path: string, text: string, key: unknown, edit: (document: Document) => void): string {
  const { head, body } = partsOf(path, text);
  if (head === undefined) return text;
  const document: Document = parseDocument(head);
  if (document.contents === null) document.contents = document.createNode({});
  edit(document);
  const yaml = spliced(head, document, key) ?? written(document);
  return isMarkdown(path) ? joinFrontMatter({ head: yaml, body }) : yaml;
}

function written(document: Document): string {
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  return isEmpty ? "" : document.toString(AS_WRITTEN);
}

/**
 * The text as it was, but for one entry at its top: written again as a whole, other entries would get other spaces.
 * @returns nothing where that does not say the same as the document
 */
function spliced(before: string, document: Document, key: unknown): string | undefined {
  const pair = entryOf(document, key);
  const former = entryOf(parseDocument(before), key);
  const entry = pair ? entryText(pair) : "";
  const range = former && rangeOf(former);
  const start = range ? range[0] : before.length;
  const gap = start > 0 && before[start - 1] !== "\n" ? "\n" : "";
  const text = `${before.slice(0, start)}${gap}${entry}${before.slice(range ? range[1] : start)}`;
  const read = parseDocument(text);
  return read.errors.length === 0 && isDeepEqual(read.toJS() ?? {}, document.toJS()) ? text : undefined;
}

function entryOf({ contents }: Document, key: unknown): Pair | undefined {
  if (!isMap(contents) || contents.flow) return undefined;
  return contents.items.find((pair) => nameOf(pair) === key);
}

/** What was added has a key that is no node. */
function nameOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : key;
}

function entryText(pair: Pair): string {
  const alone = new Document({});
  // What stands above the entry stays where it is.
  if (isMap(alone.contents)) alone.contents.add(new Pair(new Scalar(nameOf(pair)), pair.value));
  return alone.toString(AS_WRITTEN);
}

/** From the start of an entry to the start of the line below it. */
function rangeOf({ key, value }: Pair): [number, number] | undefined {
  if (!isNode(key) || !isNode(value) || !key.range || !value.range) return undefined;
  return [key.range[0], value.range[2]];
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Takes a value away, and with it the mappings that hold nothing any more. */
function removeAt(document: Document, at: DataPath): void {
  document.deleteIn(at);
  const around = at.slice(0, -1);
  const holder = around.length > 0 ? document.getIn(around) : undefined;
  const isInList = typeof around.at(-1) === "number";
  if (isMap(holder) && holder.items.length === 0 && !isInList) removeAt(document, around);
}

function partsOf(path: string, text: string): { head: string | undefined; body: string } {
  if (!isMarkdown(path)) return { head: text, body: "" };
  return splitFrontMatter(text) ?? { head: undefined, body: text };
}

export function isMarkdown(path: string): boolean {
  return path.endsWith(".md");
}

/** Lists of plain values read best on one line. */
function isSmall(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlain);
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

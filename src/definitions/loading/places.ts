import { isMap, isNode, isScalar, isSeq, type LineCounter, type Node, type YAMLMap } from "yaml";
import { FILE_START, type Position } from "../problem.ts";
import type { DataPath } from "./parse.ts";

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
export function placesOf(
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
export function isRoundedAt(
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
export function keyPlaceAt(places: Places, data: unknown, path: DataPath): Position {
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
export function positionOf(lines: ArrayLike<number>, offset: number): Position {
  let [first, last] = [0, lines.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((lines[middle] ?? 0) <= offset) first = middle + 1;
    else last = middle;
  }
  return first === 0 ? FILE_START : { line: first, column: offset - (lines[first - 1] ?? 0) + 1 };
}

/** Where a node begins, in characters from the start of its text. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

import { isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, visit } from "yaml";
import type { DataPath } from "./definition-text.ts";

/** Where a cursor stands in YAML, as a completion needs it. */
export interface YamlCursor {
  /** The mapping or the value that the cursor is in or at. */
  path: DataPath;
  /** Whether a key can stand there, a value, or, at an empty place, both. */
  takes: "key" | "value" | "either";
  /** The keys that the mapping around has already. */
  siblings: readonly string[];
  /** What the rest of the document says. */
  data: unknown;
}

/** No one writes this. */
const MARK = "cursor\u2063here";

/** What a place in a text that is being written is for. The word before the cursor is taken as not written yet. */
export function cursorIn(yaml: string, offset: number): YamlCursor | undefined {
  const before = yaml.slice(0, offset).replace(/[\w./@-]*$/, "");
  const after = yaml.slice(offset).replace(/^[\w./@-]*/, "");
  const isKeyOfPair = /^\s*:(\s|$)/.test(after);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  // A word alone on its line is most often a key; without its colon it would be one with the line below.
  const isAlone = /^[\s-]*$/.test(line) && /^[ \t]*(\n|$)/.test(after);
  const document = parseDocument(`${before}${MARK}${isAlone ? ":" : ""}${after}`);
  let found: YamlCursor | undefined;
  visit(document, {
    Scalar(key, node, ancestors) {
      if (node.value !== MARK) return undefined;
      const around = [...ancestors, node] as (Node | Pair)[];
      const isKey = key === "key";
      const path = pathOf(isKey ? around.slice(0, -2) : around);
      const map = isKey ? around.at(-3) : undefined;
      const siblings = isMap(map) ? map.items.flatMap(({ key: each }) => nameOf(each)) : [];
      found = {
        path,
        takes: isAlone ? "either" : isKey || isKeyOfPair ? "key" : "either",
        siblings: siblings.filter((name) => name !== MARK),
        data: document.toJS(),
      };
      return visit.BREAK;
    },
  });
  if (!found) return undefined;
  // On the line of a key only its value can stand; below it, a mapping may begin.
  const isBehindKey = found.takes === "either" && /:\s+$/.test(line);
  return isBehindKey ? { ...found, takes: "value" } : found;
}

function pathOf(around: readonly (Node | Pair)[]): (string | number)[] {
  return around.flatMap((node, place): (string | number)[] => {
    if (isPair(node)) return around[place + 1] === undefined ? [] : nameOf(node.key);
    if (isSeq(node)) return [node.items.indexOf(around[place + 1] as Node)];
    return [];
  });
}

function nameOf(key: unknown): string[] {
  return isScalar(key) ? [String(key.value)] : [];
}

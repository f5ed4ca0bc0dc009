import { distance } from "fastest-levenshtein";
import { classifyPath } from "./tree-path.ts";

const FOLDERS = [
  "agents",
  "automations",
  "webhooks",
  "outbound",
  "runners",
  "scorers",
  "benchmarks",
] as const;
/** `agnts` and `webhook` are meant; `actions` is a word of its own. */
const FARTHEST = 2;

/**
 * Where a file that is ignored was probably meant to be: its folder is misspelt, or letters are in another case. Files
 * beside a definition are anybody's, so this is no problem of the tree.
 */
export function nearMiss(path: string): string | undefined {
  if (classifyPath(path).kind !== "ignored") return undefined;
  const [first = "", ...rest] = path.split("/");
  const folder = FOLDERS.find((name) => distance(name, first.toLowerCase()) <= FARTHEST);
  if (folder === undefined && rest.length > 0) return undefined;
  const file = (rest.pop() ?? first).toLowerCase().replace(/\.yml$/, ".yaml");
  const meant = folder === undefined ? file : [folder, ...rest, file].join("/");
  return "name" in classifyPath(meant) ? meant : undefined;
}

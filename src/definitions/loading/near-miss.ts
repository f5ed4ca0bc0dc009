import { distance } from "fastest-levenshtein";
import type { TreeEntry } from "../../git/revision.ts";
import { FILE_START, type Problem } from "../problem.ts";
import { classifyPath, isHidden, isPartOfDefinition } from "./tree-path.ts";

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

/**
 * The files in the folders of a definition that nothing reads: whoever has put one there meant it to have an effect. Skills
 * may hold anything.
 */
export function strayFiles(entries: readonly TreeEntry[]): Problem[] {
  const paths = new Set(entries.map(({ path }) => path));
  return entries.flatMap(({ path }): Problem[] => {
    if (!isStray(path)) return [];
    const folder = path.slice(0, path.indexOf("/"));
    const meant = meantPath(path);
    const rename = meant === undefined || paths.has(meant) ? "" : `rename it to ${meant}, or `;
    const message = `is not part of the definition, so it has no effect: ${rename}move it out of ${folder}/`;
    return [{ code: "FF_UNSUPPORTED_PATH", message, path, ...FILE_START, severity: "warning" }];
  });
}

/** Whether a file is in a folder of the definition and no part of it. */
export function isStray(path: string): boolean {
  const [first, ...rest] = path.split("/");
  const isInFolder = rest.length > 0 && FOLDERS.some((folder) => folder === first);
  if (!isInFolder || isHidden(path) || isPartOfDefinition(path)) return false;
  return classifyPath(path).kind === "ignored";
}

const TEXT = /\.(?:md|mdx|markdown|txt|ya?ml|json)$/i;

const README = /^readme\./i;

/** Where a text below a folder of the definition was probably meant to be. */
function meantPath(path: string): string | undefined {
  const near = nearMiss(path);
  if (near !== undefined) return near;
  const [folder = "", first = "", ...rest] = path.split("/");
  const last = rest.at(-1) ?? first;
  if (!TEXT.test(last) || README.test(last)) return undefined;
  const stem = last.replace(TEXT, "");
  const name = rest.length === 0 ? stem : first;
  const meant = () => {
    switch (folder) {
      case "agents":
        return `agents/${name}/agent.md`;
      case "scorers":
        return `scorers/${name}/scorer.md`;
      case "automations":
        if (rest.length === 0) return `automations/${stem}.md`;
        return rest.length > 1 || (/\.(?:ya?ml|json)$/i.test(last) && stem !== "automation")
          ? `automations/${name}/tests/${stem}.yaml`
          : `automations/${name}/automation.md`;
      case "benchmarks":
        return rest.length > 1 ? `benchmarks/${name}/tasks/${stem}.yaml` : `benchmarks/${name}/suite.yaml`;
      default:
        return `${folder}/${stem}.yaml`;
    }
  };
  const found = meant();
  return "name" in classifyPath(found) ? found : undefined;
}

import { distance } from "fastest-levenshtein";
import type { TreeEntry } from "../../git/revision.ts";
import { FILE_START, type Problem, treeProblem } from "../problem.ts";
import type { DefinitionSchema } from "./validate.ts";

/** What a path in a definition tree stands for. */
export type TreePath =
  | { kind: DefinitionSchema; name: string; suite?: string; automation?: string }
  | { kind: "skill"; name: string; agent?: string }
  /** What an automation can name as the schema of its answers. */
  | { kind: "output_schema" }
  /** Looks like a resource but is not where one can be. */
  | { kind: "unsupported"; expected: string }
  | { kind: "ignored" };

interface CanonicalPath {
  kind: DefinitionSchema | "skill";
  pattern: RegExp;
}

/** Where each kind of file has its place. The first group is its name. */
const CANONICAL_PATHS: readonly CanonicalPath[] = [
  { kind: "factory", pattern: /^(factory)\.yaml$/ },
  { kind: "agent", pattern: /^agents\/([^/]+)\/agent\.md$/ },
  { kind: "automation", pattern: /^automations\/([^/]+)\/automation\.md$/ },
  { kind: "automation", pattern: /^automations\/([^/]+)\.md$/ },
  { kind: "filter_test", pattern: /^automations\/(?<automation>[^/]+)\/tests\/([^/]+)\.yaml$/ },
  { kind: "runner", pattern: /^runners\/([^/]+)\.yaml$/ },
  { kind: "webhook", pattern: /^webhooks\/([^/]+)\.yaml$/ },
  { kind: "outbound", pattern: /^outbound\/([^/]+)\.yaml$/ },
  { kind: "scorer", pattern: /^scorers\/([^/]+)\/scorer\.md$/ },
  { kind: "benchmark_suite", pattern: /^benchmarks\/([^/]+)\/suite\.yaml$/ },
  { kind: "benchmark_suite_task", pattern: /^benchmarks\/(?<suite>[^/]+)\/tasks\/([^/]+)\.yaml$/ },
  { kind: "skill", pattern: /^skills\/(?:.+\/)?([^/]+)\/SKILL\.md$/ },
  { kind: "skill", pattern: /^agents\/(?<agent>[^/]+)\/skills\/(?:.+\/)?([^/]+)\/SKILL\.md$/ },
];

/** JSON next to automations, but not in the place of a test. */
const OUTPUT_SCHEMA = /^automations\/(?![^/]+\/tests\/)(?:[^/]+\/)*[^/]+\.json$/;

/** Paths that may hold anything: the content of skills. */
const FREE_PATHS = [/^skills\//, /^agents\/[^/]+\/skills\//];

/** Files that look like a resource at any other place of their folder, and where they belong. */
const LOOKALIKES: readonly { pattern: RegExp; expected: string }[] = [
  { pattern: /^agents\/(?:.*\/)?agent\.md$/, expected: "agents/<name>/agent.md" },
  { pattern: /^automations\/(?:.*\/)?automation\.md$/, expected: "automations/<name>/automation.md" },
  { pattern: /^scorers\/(?:.*\/)?scorer\.md$/, expected: "scorers/<name>/scorer.md" },
  { pattern: /^webhooks\/.*\.ya?ml$/, expected: "webhooks/<name>.yaml" },
  { pattern: /^outbound\/.*\.ya?ml$/, expected: "outbound/<name>.yaml" },
  { pattern: /^runners\/.*\.ya?ml$/, expected: "runners/<name>.yaml" },
  {
    pattern: /^benchmarks\/.*\.ya?ml$/,
    expected: "benchmarks/<slug>/suite.yaml or benchmarks/<slug>/tasks/<slug>.yaml",
  },
];

const MAX_NAME = 128;
/** What cannot be seen, reads in another order than it stands there, is no UTF-8, or parts folders elsewhere. */
const UNFIT_FOR_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd\\]/u;
const HIDDEN = /(^|\/)(\.|node_modules\/)/;

/** Whether a file belongs to a definition: a resource, or something of a skill. */
export function isPartOfDefinition(path: string): boolean {
  if (HIDDEN.test(path)) return false;
  const { kind } = classifyPath(path);
  return kind === "ignored" ? FREE_PATHS.some((pattern) => pattern.test(path)) : kind !== "unsupported";
}

/** Those entries of a tree that are files of a definition. */
export function definitionEntries(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.filter(({ kind, path }) => kind === "file" && isPartOfDefinition(path));
}

/** Whether a path leads to or through something hidden, or through dependencies. */
export function isHidden(path: string): boolean {
  return HIDDEN.test(path);
}

/** Tells what a path stands for. Hidden files and folders are never looked at. */
export function classifyPath(path: string): TreePath {
  if (isHidden(path)) return { kind: "ignored" };
  for (const { kind, pattern } of CANONICAL_PATHS) {
    const match = pattern.exec(path);
    if (!match) continue;
    const name = match.at(-1) ?? "";
    if (name.length > MAX_NAME || UNFIT_FOR_NAMES.test(name)) {
      return {
        kind: "unsupported",
        expected: `a name of at most ${MAX_NAME} printable characters in UTF-8, without \\`,
      };
    }
    return { kind, name, ...match.groups };
  }
  if (FREE_PATHS.some((pattern) => pattern.test(path))) return { kind: "ignored" };
  if (OUTPUT_SCHEMA.test(path)) return { kind: "output_schema" };
  const lookalike = LOOKALIKES.find(({ pattern }) => pattern.test(path));
  if (lookalike) return { kind: "unsupported", expected: lookalike.expected };
  return path.includes("\\") ? withSlashes(path) : { kind: "ignored" };
}

/** Windows parts folders by `\`: what one of its programs has packed can have whole paths for names. */
function withSlashes(path: string): TreePath {
  const meant = path.replaceAll("\\", "/");
  return classifyPath(meant).kind === "ignored"
    ? { kind: "ignored" }
    : { kind: "unsupported", expected: meant };
}

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
  return entries.flatMap(({ path }) => (isStray(path) ? [strayFile(path, (meant) => paths.has(meant))] : []));
}

/** That a file in a folder of the definition has no effect, and where it was probably meant to be. */
export function strayFile(path: string, isTaken: (path: string) => boolean): Problem {
  const folder = path.slice(0, path.indexOf("/"));
  const meant = meantPath(path);
  const rename = meant === undefined || isTaken(meant) ? "" : `rename it to ${meant}, or `;
  const message = `is not part of the definition, so it has no effect: ${rename}move it out of ${folder}/`;
  return { code: "FF_UNSUPPORTED_PATH", message, path, ...FILE_START, severity: "warning" };
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

/** What Linux, macOS and git itself allow. */
const MAX_PATH_BYTES = 4_095;
const MAX_SEGMENT_BYTES = 255;
/** As much of a path as is shown. */
const SHOWN = 120;
/** Characters that HFS+ does not see in a name (git's `is_hfs_dotgit`). */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git` and what Windows takes for it: the short name, blanks and dots at the end, a stream. */
const GIT_FOLDER = /^(\.git|git~1)[ .]*(:.*)?$/i;

/**
 * The entries of a tree that a checkout could hold. Others can be made by writing objects by hand only, and always with
 * an intent: each is an error, so that nobody has to think about where its path leads.
 */
export function possiblePaths(entries: readonly TreeEntry[]): { entries: TreeEntry[]; problems: Problem[] } {
  const seen = new Set<string>();
  const possible: TreeEntry[] = [];
  const problems: Problem[] = [];
  for (const entry of entries) {
    const why = seen.has(entry.path) ? "is listed twice" : whyImpossible(entry.path);
    seen.add(entry.path);
    if (why === undefined) possible.push(entry);
    else problems.push(impossible(entry.path, why));
  }
  return { entries: possible, problems };
}

function whyImpossible(path: string): string | undefined {
  if (path.length * 3 > MAX_PATH_BYTES && Buffer.byteLength(path) > MAX_PATH_BYTES)
    return "is longer than the limit for a path";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..")
      return "points outside its folder or to nothing";
    if (segment.length * 3 > MAX_SEGMENT_BYTES && Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return "contains a name that is longer than the limit for a file name";
    if (GIT_FOLDER.test(segment.replace(UNSEEN, ""))) return "points into the .git folder";
  }
  return undefined;
}

function impossible(path: string, why: string): Problem {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  const message = `the path ${JSON.stringify(shown)} ${why}, so it cannot be checked out: remove it from the commit`;
  return treeProblem("FF_UNSUPPORTED_PATH", message);
}

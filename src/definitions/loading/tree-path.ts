import type { TreeEntry } from "../../git/revision.ts";
import type { DefinitionSchema } from "./validate.ts";

/** What a path in a definition tree stands for. */
export type TreePath =
  | { kind: DefinitionSchema; name: string; suite?: string; automation?: string }
  | { kind: "skill"; name: string; agent?: string }
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

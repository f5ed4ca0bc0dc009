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
  { pattern: /^runners\/.*\.ya?ml$/, expected: "runners/<name>.yaml" },
  {
    pattern: /^benchmarks\/.*\.ya?ml$/,
    expected: "benchmarks/<slug>/suite.yaml or benchmarks/<slug>/tasks/<slug>.yaml",
  },
];

const LONGEST_NAME = 128;
const HIDDEN = /(^|\/)(\.|node_modules\/)/;

/** Whether a file belongs to a definition: a resource, or something of a skill. */
export function isPartOfDefinition(path: string): boolean {
  if (HIDDEN.test(path)) return false;
  const { kind } = classifyPath(path);
  return kind === "ignored" ? FREE_PATHS.some((pattern) => pattern.test(path)) : kind !== "unsupported";
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
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (name.length > LONGEST_NAME || /[\u0000-\u001f\u007f]/.test(name)) {
      return { kind: "unsupported", expected: `a name of at most ${LONGEST_NAME} printable characters` };
    }
    return { kind, name, ...match.groups };
  }
  if (FREE_PATHS.some((pattern) => pattern.test(path))) return { kind: "ignored" };
  const lookalike = LOOKALIKES.find(({ pattern }) => pattern.test(path));
  return lookalike ? { kind: "unsupported", expected: lookalike.expected } : { kind: "ignored" };
}

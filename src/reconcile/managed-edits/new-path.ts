import { classifyPath, isPartOfDefinition } from "../../definitions/loading/tree-path.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";

const MAX_PATH = 1_000;
/** Steps that lead nowhere or out, and what Windows takes for `.git`. */
const BAD_STEP = /^(\.{0,2}|git~\d+)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const BAD_CHARACTER = /[\u0000-\u001f\u007f\\]/;

/** @throws MillraceError `invalid_request` for a path where no file of a definition can be */
export function checkDefinitionPath(path: string): void {
  const isPath =
    path.length <= MAX_PATH &&
    !BAD_CHARACTER.test(path) &&
    // A lone half of a character has no bytes of its own.
    Buffer.from(path).toString() === path &&
    !path.split("/").some((step) => BAD_STEP.test(step));
  if (isPath && isPartOfDefinition(path)) return;
  const found = isPath ? classifyPath(path) : undefined;
  const expected = found?.kind === "unsupported" ? ` Expected ${found.expected}.` : "";
  throw new MillraceError(
    "invalid_request",
    `${JSON.stringify(path.slice(0, 200))} is not a valid path for a definition file.${expected}`,
    {
      remedy:
        "Specify the path of a definition file, such as agents/NAME/agent.md; docs/definitions.md lists all paths.",
      extra: { field: "path" },
    },
  );
}

/** What has which place in a tree, while files are added to it and taken away. */
export interface Places {
  find(path: string): TreeEntry | undefined;
  /**
   * Adds a file, or gives it another content. A new one has to be a file of its own on every file system, with no other in
   * its way.
   * @throws MillraceError `conflict`
   */
  put(entry: TreeEntry): void;
  remove(path: string): void;
}

export function placesIn(tree: Tree): Places {
  const files = new Map(tree.entries.map((entry) => [entry.path, entry]));
  /** Files and folders as no file system tells them apart, with how many paths go through each; made when it is needed. */
  let known: Map<string, Step> | undefined;

  function stepsNow(): Map<string, Step> {
    if (known) return known;
    known = new Map();
    for (const path of files.keys()) count(path, known);
    return known;
  }

  return {
    find: (path) => files.get(path),
    put(entry) {
      if (files.has(entry.path)) {
        files.set(entry.path, entry);
        return;
      }
      const steps = stepsNow();
      for (const prefix of prefixesOf(entry.path)) {
        const other = steps.get(fold(prefix));
        const isFolder = prefix !== entry.path;
        const isFree = !other || (other.path === prefix && isFolder && !files.has(prefix));
        if (!isFree) throw inTheWay(entry.path, other.path);
      }
      files.set(entry.path, entry);
      count(entry.path, steps);
    },
    remove(path) {
      const steps = known;
      if (!files.delete(path) || !steps) return;
      for (const prefix of prefixesOf(path)) {
        const step = steps.get(fold(prefix));
        if (step) step.count -= 1;
        if (step?.count === 0) steps.delete(fold(prefix));
      }
    },
  };
}

interface Step {
  path: string;
  count: number;
}

function count(path: string, steps: Map<string, Step>): void {
  for (const prefix of prefixesOf(path)) {
    const step = steps.get(fold(prefix));
    if (step) step.count += 1;
    else steps.set(fold(prefix), { path: prefix, count: 1 });
  }
}

function inTheWay(path: string, other: string): MillraceError {
  return new MillraceError("conflict", `${path} cannot be added: ${other} already exists.`, {
    remedy: "Choose another name. Names that differ only in case are the same file on some systems.",
    retryable: false,
  });
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function prefixesOf(path: string): string[] {
  const steps = path.split("/");
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A file as it is before its content is known. */
export function newEntry(path: string): TreeEntry {
  return { path, kind: "file", size: 0, id: "" };
}

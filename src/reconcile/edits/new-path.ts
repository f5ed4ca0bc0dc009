import { classifyPath, isPartOfDefinition } from "../../definitions/tree-path.ts";
import { MillraceError } from "../../error.ts";
import type { Tree } from "../../git/revision.ts";

const LONGEST_PATH = 1_000;
/** Steps that lead nowhere or out, and what Windows takes for `.git`. */
const BAD_STEP = /^(\.{0,2}|git~\d+)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const BAD_CHARACTER = /[\u0000-\u001f\u007f\\]/;

/** @throws MillraceError `invalid_request` for a path where no file of a definition can be */
export function checkDefinitionPath(path: string): void {
  const isPath =
    path.length <= LONGEST_PATH &&
    !BAD_CHARACTER.test(path) &&
    // A lone half of a character has no bytes of its own.
    Buffer.from(path).toString() === path &&
    !path.split("/").some((step) => BAD_STEP.test(step));
  if (isPath && isPartOfDefinition(path)) return;
  const found = isPath ? classifyPath(path) : undefined;
  const expected = found?.kind === "unsupported" ? ` Expected ${found.expected}.` : "";
  throw new MillraceError(
    "invalid_request",
    `${JSON.stringify(path.slice(0, 200))} is no place for a file of a definition.${expected}`,
    {
      remedy: "Name a path of the format, such as agents/NAME/agent.md; the README lists them.",
      extra: { field: "path" },
    },
  );
}

/**
 * Sees to it that a new file is one on every file system, with no other in its way.
 * @throws MillraceError `conflict`
 */
export function checkPlaceIsFree({ entries }: Tree, path: string): void {
  const folded = new Map<string, string>();
  for (const entry of entries) for (const prefix of prefixesOf(entry.path)) folded.set(fold(prefix), prefix);
  const files = new Set(entries.map((entry) => entry.path));
  for (const prefix of prefixesOf(path)) {
    const other = folded.get(fold(prefix));
    const isFolder = prefix !== path;
    const isFine = other === undefined || (other === prefix && isFolder && !files.has(prefix));
    if (!isFine) throw inTheWay(path, other);
  }
}

function inTheWay(path: string, other: string): MillraceError {
  return new MillraceError("conflict", `${path} cannot be added: ${other} is there already.`, {
    remedy: "Choose another name. Letters in another case make no other file everywhere.",
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

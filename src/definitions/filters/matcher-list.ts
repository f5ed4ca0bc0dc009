import type { WrittenMatcher } from "../written.ts";
import { compileGlob, type Glob, isGlob, type OnSteps } from "./glob.ts";
import type { PayloadField } from "./payload-field.ts";

/** Whether a list of a filter has any of the values that a payload says. */
export type HasAny = (values: readonly (string | number)[], onSteps?: OnSteps) => boolean;

/** The lists of a filter's key: a bare list includes. */
export function listsOf(matcher: WrittenMatcher | undefined): { included: unknown[]; excluded: unknown[] } {
  if (Array.isArray(matcher)) return { included: matcher, excluded: [] };
  return { included: matcher?.in ?? [], excluded: matcher?.not_in ?? [] };
}

/** `null`, `{}` and empty lists ask for nothing. */
export function hasConstraint(matcher: unknown): boolean {
  const { included, excluded } = listsOf(matcher as WrittenMatcher);
  return included.length > 0 || excluded.length > 0;
}

/** Prepares a list for the values of a field. */
export function compileList(wanted: readonly unknown[], compare: PayloadField["compare"] = "exact"): HasAny {
  if (wanted.length === 0) return () => false;
  if (compare === "exact") return anyIn(new Set(wanted), (value) => value);
  if (compare === "name") return anyIn(new Set(wanted.map(inLowerCase)), inLowerCase);
  if (compare === "keyword") return compileKeywords(wanted.map(inLowerCase));
  return compare === "path" ? compilePaths(wanted.map(String)) : compileBranches(wanted.map(String));
}

function inLowerCase(value: unknown): string {
  return String(value).toLowerCase();
}

function anyIn(wanted: ReadonlySet<unknown>, compared: (value: string | number) => unknown): HasAny {
  return (values, onSteps) => {
    onSteps?.(values.length);
    return values.some((value) => wanted.has(compared(value)));
  };
}

/** A keyword stands anywhere in a text, in upper or lower case. */
function compileKeywords(wanted: readonly string[]): HasAny {
  return (values, onSteps) =>
    values.some((value) => {
      const text = inLowerCase(value);
      return wanted.some((keyword) => {
        onSteps?.(1 + text.length / CHARACTERS_A_STEP);
        return text.includes(keyword);
      });
    });
}

/** A branch is the one of that name: what lies below `main` is another branch. */
function compileBranches(wanted: readonly string[]): HasAny {
  const names = new Set(wanted.filter((text) => !isGlob(text)));
  const globs = globsIn(wanted);
  return anyFits((branch) => names.has(branch), globs);
}

/** A path is the file of that name, or all that lies below the folder of that name. */
function compilePaths(wanted: readonly string[]): HasAny {
  const paths = wanted.map((text) => text.replace(/\/$/, ""));
  const folder = foldersOf(paths.filter((text) => !isGlob(text)));
  return anyFits((path) => leadsInto(folder, path), globsIn(paths, { takesBelow: true }));
}

/** Bytes that git and file systems allow a path; a pattern is not held against more. */
const MAX_PATH = 4_096;
/** To look a text up takes about as long as so many steps of a pattern over its characters. */
const CHARACTERS_A_STEP = 32;

function anyFits(isNamed: (text: string) => boolean, globs: readonly Glob[]): HasAny {
  return (values, onSteps) =>
    values.some((value) => {
      const text = String(value);
      onSteps?.(1 + text.length / CHARACTERS_A_STEP);
      if (text.length > MAX_PATH) return false;
      return isNamed(text) || globs.some((glob) => glob(text, onSteps));
    });
}

function globsIn(wanted: readonly string[], options?: Parameters<typeof compileGlob>[1]): Glob[] {
  const patterns = [...new Set(wanted.filter(isGlob))];
  // Nothing that is short enough has so many characters as one of these asks for.
  const possible = patterns.filter((pattern) => pattern.replaceAll("*", "").length <= MAX_PATH);
  return possible.map((pattern) => compileGlob(pattern, options));
}

/** Paths by the names that they are made of, so that one walk holds a path against all of them. */
interface Folder {
  isWanted: boolean;
  inside: Map<string, Folder>;
}

function foldersOf(paths: readonly string[]): Folder {
  const root: Folder = { isWanted: false, inside: new Map() };
  for (const path of paths) {
    let folder = root;
    for (const name of path.split("/")) {
      const inner = folder.inside.get(name) ?? { isWanted: false, inside: new Map() };
      folder.inside.set(name, inner);
      folder = inner;
    }
    folder.isWanted = true;
  }
  return root;
}

function leadsInto(root: Folder, path: string): boolean {
  let folder: Folder | undefined = root;
  for (const name of path.split("/")) {
    folder = folder.inside.get(name);
    if (!folder) return false;
    if (folder.isWanted) return true;
  }
  return false;
}

import { realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** Tells of a path, relative to the root of a folder, whether it and what is below it are left out. */
export type IgnoredPaths = (path: string) => boolean;

/**
 * Hidden entries hold no definitions, and dependencies are not ours. What the server itself writes has to be left out
 * wherever it lies: each pass would be a change of the folder, which asks for the next pass.
 */
export function ignoredPathsOf(root: string, own: readonly string[] = []): IgnoredPaths {
  const inside = new Set(own.map((path) => relative(realPath(root), realPath(path))));
  return (path) => {
    const name = basename(path);
    return name.startsWith(".") || name === "node_modules" || inside.has(path);
  };
}

/** A path without symbolic links, also of something that is not there yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

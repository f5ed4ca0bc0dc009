import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isWithin } from "./shown-paths.ts";

/** Parts of paths at which package managers begin a tree whose parts link to each other. */
const TREES = [
  // Homebrew: formulas use libraries of others through PREFIX/opt.
  /^(.*)\/Cellar\//,
  // pnpm: a package's dependencies are links to its neighbours, in a project, in the global folder or in the store.
  /^(.*?\/\.pnpm)\//,
  /^(.*?\/store\/v\d+\/links)\//,
];

/**
 * The file or folder that a program takes to start, given its real path: the tree of its package manager, the outermost
 * `node_modules`, or PREFIX of `PREFIX/bin/program` when there is a `PREFIX/lib`. A home folder is no one's
 * installation; then it is the program's file alone.
 */
export function installationOf(program: string): string {
  const modules = program.indexOf("/node_modules/");
  const outermost = modules < 0 ? undefined : program.slice(0, modules + "/node_modules".length);
  for (const pattern of TREES) {
    const tree = pattern.exec(program)?.[1];
    if (tree !== undefined && !isPersonal(tree))
      return outermost && isWithin(tree, outermost) ? outermost : tree;
  }
  if (outermost !== undefined) return outermost;
  const prefix = dirname(dirname(program));
  const isInstallation =
    basename(dirname(program)) === "bin" && existsSync(join(prefix, "lib")) && !isPersonal(prefix);
  return isInstallation ? prefix : program;
}

function isPersonal(folder: string): boolean {
  return folder === "/" || [homedir(), join(homedir(), ".local")].some((own) => isWithin(own, folder));
}

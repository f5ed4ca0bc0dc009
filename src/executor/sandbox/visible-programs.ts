import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { findOnPath } from "./locate-program.ts";
import { exists, followLinks, headOf, isFile, isReadableByAll, type Link } from "./look-at-files.ts";

/**
 * What of the server a command needs to see, beyond the folders of the system: the installation of its program and of the
 * interpreter that this names, what its other words name by absolute path, and the Node that serves, in which many agents
 * run. Nothing that lies beside these.
 */
export function visiblePrograms(command: readonly string[], path: string): WantedPath[] {
  const [name = "", ...args] = command;
  const program = findOnPath(name, path);
  const named = args.filter((word) => isAbsolute(word) && word !== "/" && exists(word));
  return [
    installed(process.execPath),
    ...(program === undefined ? [] : [program, ...startedBy(program, path)].map(installed)),
    ...named.map((word) => ({ path: word })),
  ];
}

/**
 * The same for a command that a definition names, whose author must not read what the server's user alone may. Of an absolute path,
 * it is the file alone, if everybody may read it and it lies where programs lie; of a program on the PATH, its installation.
 */
export function visibleToAll(command: readonly string[], path: string): WantedPath[] {
  const [name = "", ...args] = command;
  const found = isAbsolute(name) ? undefined : findOnPath(name, path);
  const named = [...(found === undefined ? [name] : []), ...args].filter((word) => isPublicFile(word));
  const scripts = named.flatMap((word) => startedBy(word, path));
  return [
    ...(found === undefined ? [] : [found, ...startedBy(found, path)].map(installed)),
    ...scripts.filter((word) => findOnPath(basename(word), path) === word).map(installed),
    ...named.map((word) => ({ path: word })),
  ];
}

/** Where secrets are mounted, and files of the system that everybody may read for other reasons. */
const NO_PROGRAMS = ["/run", "/var/run", "/etc", "/proc", "/sys", "/dev", "/boot"];

/** A file without secrets, as far as that can be seen: not one that is hidden, nor beside one that a setting names. */
function isPublicFile(path: string): boolean {
  if (!isAbsolute(path) || !isReadableByAll(path)) return false;
  const { real } = followLinks(path);
  const ofSettings = [...Object.values(process.env), ...process.argv.slice(2)]
    .flatMap((value) => (value !== undefined && isAbsolute(value) && !value.includes(":") ? [value] : []))
    .filter(isFile)
    .map((file) => dirname(followLinks(file).real));
  return (
    isReadableByAll(real) &&
    !basename(real).startsWith(".") &&
    !NO_PROGRAMS.some((folder) => isWithin(real, folder)) &&
    !ofSettings.includes(dirname(real))
  );
}

const installed = (path: string): WantedPath => ({ path, mountOf: installationOf });

/** What a script starts: its interpreter, and what the shell scripts of pnpm name from their own folder. */
function startedBy(program: string, path: string): string[] {
  const head = headOf(followLinks(program).real);
  const [, shebang = ""] = /^#!\s*(.*)/.exec(head) ?? [];
  const [interpreter = "", ...words] = shebang.trim().split(/\s+/);
  // `env` looks for the first word that is neither an option nor a variable.
  const sought = interpreter.endsWith("/env") ? words.find((word) => !/^-|=/.test(word)) : interpreter;
  const folder = dirname(program);
  const beside = [...head.matchAll(/"\$basedir\/([^"$]+)"/g)].map(([, rest = ""]) => join(folder, rest));
  return [
    ...(sought ? [findOnPath(sought, path) ?? ""] : []),
    // Those scripts try the Node in their own folder and then that of PATH.
    ...(beside.length === 0 ? [] : [...beside, findOnPath("node", path) ?? ""]),
  ].filter(exists);
}

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
function installationOf(program: string): string {
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

/** What a sandbox shows of the server: files and folders at their real paths, and the links that lead to them. */
export interface ShownPaths {
  mounts: string[];
  links: Link[];
}

/** A path that is to be seen, and the file or folder that it takes for that. */
interface WantedPath {
  path: string;
  /** What has to be mounted for it, given where the path ends; the end itself when nothing is said. */
  mountOf?: (real: string) => string;
}

/**
 * Works out what to mount and which links to make so that every path is seen as it is outside. Nothing is mounted inside of
 * another mount, and no link is made where a mount shows it already: both would fail, or hide what lies there.
 * @param isCovered whether a path is seen without any of it
 */
export function showPaths(wanted: readonly WantedPath[], isCovered: (path: string) => boolean): ShownPaths {
  const followed = wanted.map(({ path, mountOf = (real) => real }) => {
    const { real, links } = followLinks(path);
    return { mount: mountOf(real), links };
  });
  const mounts = outermost(followed.map(({ mount }) => mount).filter((path) => !isCovered(path)));
  const links = new Map<string, Link>();
  for (const one of followed.flatMap(({ links }) => links)) {
    if (!isCovered(one.link) && !mounts.some((mount) => isWithin(one.link, mount))) links.set(one.link, one);
  }
  return { mounts, links: [...links.values()] };
}

/** The paths that lie in no other one of them, each once. */
function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)].sort();
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}

/** Whether a path is a folder or lies somewhere in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

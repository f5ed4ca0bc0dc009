import { basename, dirname, isAbsolute, join } from "node:path";
import { followLinks } from "./follow-links.ts";
import { installationOf } from "./installation.ts";
import { findOnPath } from "./locate-program.ts";
import { exists, headOf, isFile, isReadableByAll } from "./look-at-files.ts";
import { isWithin, type WantedPath } from "./shown-paths.ts";

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

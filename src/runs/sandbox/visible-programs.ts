import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { MillraceError } from "../../error.ts";

/** A thing of the server that a sandbox shows, at its own path, and cannot change. */
export type Shown = { folderOrFile: string } | { link: string; to: string };

/**
 * What of the server a command needs to see, beyond the folders of the system: the installation of its program, what its
 * other words name by absolute path, and the Node that serves, in which many agents run. Nothing that lies beside these.
 */
export function visiblePrograms(
  command: readonly string[],
  path: string,
  isSystem: (path: string) => boolean,
): Shown[] {
  const program = findOnPath(command[0] ?? "", path);
  const named = command.slice(1).filter((word) => isAbsolute(word) && word !== "/" && exists(word));
  const shown = [
    ...show(process.execPath, installationOf),
    ...(program === undefined ? [] : show(program, installationOf)),
    ...named.flatMap((word) => show(word, (real) => real)),
  ];
  return shown.filter((thing) => !isSystem("link" in thing ? thing.link : thing.folderOrFile));
}

/**
 * Finds out before a sandbox is made for nothing that a command has no program. One that is named from the workspace is
 * only seen there.
 * @throws MillraceError `environment_setup_failed`
 */
export function requireProgram([name = ""]: readonly string[], path: string): void {
  if (name.includes("/") && !isAbsolute(name)) return;
  if (name !== "" && findOnPath(name, path) !== undefined) return;
  throw new MillraceError("environment_setup_failed", `The agent's program "${name}" is not on this server`, {
    remedy: "Install it where the PATH of the server finds it, or name another.",
  });
}

/** A program or file, and how it is called when that is a link to it. */
function show(path: string, partOf: (real: string) => string): Shown[] {
  const real = realpathSync(path);
  const thing: Shown = { folderOrFile: partOf(real) };
  return real === path ? [thing] : [thing, { link: path, to: real }];
}

/**
 * The folder that a program is installed in: the outermost `node_modules`, or PREFIX of `PREFIX/bin/program` when there is a
 * `PREFIX/lib`. A home folder is nobody's installation; then it is the program's file alone.
 */
function installationOf(program: string): string {
  const modules = program.indexOf("/node_modules/");
  if (modules >= 0) return program.slice(0, modules + "/node_modules".length);
  const prefix = dirname(dirname(program));
  const isInstallation =
    basename(dirname(program)) === "bin" && exists(join(prefix, "lib")) && !isPersonal(prefix);
  return isInstallation ? prefix : program;
}

function isPersonal(folder: string): boolean {
  return (
    [homedir(), join(homedir(), ".local")].some((own) => own === folder || own.startsWith(`${folder}/`)) ||
    folder === "/"
  );
}

function findOnPath(name: string, path: string): string | undefined {
  if (isAbsolute(name)) return exists(name) ? name : undefined;
  if (name.includes("/")) return undefined;
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  const found = statOf(path);
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What this server may not look at, it cannot show either.
    return undefined;
  }
}

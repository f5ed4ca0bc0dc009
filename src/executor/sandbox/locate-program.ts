import { delimiter, isAbsolute, join } from "node:path";
import { inShell, MillraceError } from "../../errors/error.ts";
import { exists, isFile, isProgram } from "./look-at-files.ts";
import { behindShim } from "./version-managers.ts";

/** A command whose program has been found, and the PATH that it is started with. */
export interface LocatedCommand {
  command: readonly string[];
  path: string;
}

/**
 * Finds the program of a command. A version manager's shim looks for its settings in the home folder, which is the workspace
 * in a run: so the program behind it is started, with the folders in front of PATH in which that finds its interpreter. A
 * program that is named from the workspace is only seen there.
 * @throws MillraceError `environment_setup_failed` when it is not on this machine
 */
export function locateProgram(command: readonly string[], path: string): LocatedCommand {
  const [name = "", ...args] = command;
  if (name === "") {
    throw new MillraceError(
      "environment_setup_failed",
      "The agent's program cannot be started: its command is empty",
      {
        remedy: "Set MILLRACE_AGENT_COMMAND, or set command: for the harness.",
      },
    );
  }
  if (name.includes("/") && !isAbsolute(name)) return { command, path };
  const found = findOnPath(name, path);
  const file = pathsOf(name, path).find(isFile);
  if (file !== undefined && (found === undefined || !isProgram(found))) {
    throw new MillraceError("environment_setup_failed", `The agent's program "${file}" is not executable`, {
      remedy: `Run \`chmod +x ${inShell(file)}\` on the machine that executes the run. A script also needs a first line such as #!/bin/sh.`,
    });
  }
  if (found === undefined) {
    throw new MillraceError(
      "environment_setup_failed",
      `The agent's program "${name}" was not found on the machine that executes the run`,
      {
        remedy: "Install it in a folder of the PATH of the server or worker, or set a different program.",
      },
    );
  }
  const behind = behindShim(found);
  if (behind === undefined) return { command, path };
  return {
    command: [behind.program, ...args],
    path: [...behind.folders, path].filter(Boolean).join(delimiter),
  };
}

/** The first program of a name on a PATH; a name that is an absolute path is taken as it is. */
export function findOnPath(name: string, path: string): string | undefined {
  if (isAbsolute(name)) return exists(name) ? name : undefined;
  return pathsOf(name, path).find(isProgram);
}

function pathsOf(name: string, path: string): string[] {
  if (isAbsolute(name)) return [name];
  if (name.includes("/")) return [];
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name));
}

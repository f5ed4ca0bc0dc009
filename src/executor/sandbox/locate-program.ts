import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { parse } from "smol-toml";
import { inShell, MillraceError } from "../../errors/error.ts";
import { exists, followLinks, headOf, isFile, isProgram, namesIn, textOf } from "./look-at-files.ts";

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

/** The program that a shim starts, and the folders in which that finds its interpreter. */
export interface Behind {
  program: string;
  folders: string[];
}

/**
 * What a shim of volta, asdf or mise starts by the settings of this server's user.
 * @returns nothing for a program that is no shim
 * @throws MillraceError `environment_setup_failed` for a shim with nothing behind it
 */
function behindShim(path: string): Behind | undefined {
  const manager = MANAGERS.find(({ isShim }) => isShim(path));
  if (manager === undefined) return undefined;
  const behind = manager.find(dirname(dirname(path)), basename(path), path);
  if (behind !== undefined && exists(behind.program)) return behind;
  throw new MillraceError(
    "environment_setup_failed",
    `The agent's program ${path} is a shim of ${manager.name}, but the program behind it was not found`,
    {
      remedy: `Find its path with \`${manager.name} which ${basename(path)}\`, and use that path in the command.`,
    },
  );
}

interface VersionManager {
  name: string;
  isShim(path: string): boolean;
  /** @param home the folder above that of the shims */
  find(home: string, name: string, shim: string): Behind | undefined;
}

const MANAGERS: readonly VersionManager[] = [
  {
    name: "volta",
    isShim: (path) => basename(followLinks(path).real) === "volta-shim",
    find: findOfVolta,
  },
  {
    name: "asdf",
    isShim: (path) => basename(dirname(path)) === "shims" && /\basdf exec\b/.test(headOf(path)),
    find: findOfAsdf,
  },
  {
    name: "mise",
    isShim: (path) => basename(dirname(path)) === "shims" && basename(followLinks(path).real) === "mise",
    find: findOfMise,
  },
];

/** Volta notes for each program the package that has it and the Node that it was installed with. */
function findOfVolta(home: string, name: string): Behind | undefined {
  const tools = join(process.env.VOLTA_HOME ?? home, "tools");
  const { package: owner, platform } = jsonOf(join(tools, "user", "bins", `${name}.json`));
  const own = jsonOf(join(tools, "user", "platform.json"));
  const version = runtimeOf(platform?.node) ?? runtimeOf(own.node);
  if (version === undefined) return undefined;
  const node = join(tools, "image", "node", version, "bin");
  const bin = typeof owner === "string" ? join(tools, "image", "packages", owner, "bin") : node;
  return { program: join(bin, name), folders: [bin, node] };
}

/** A version alone, or with those of what came with it. */
function runtimeOf(node: unknown): string | undefined {
  if (typeof node === "string") return node;
  return typeof node === "object" && node !== null && "runtime" in node ? String(node.runtime) : undefined;
}

/** The shims of asdf name each plugin and version that has the program. */
function findOfAsdf(home: string, name: string, shim: string): Behind | undefined {
  const offered = [...headOf(shim).matchAll(/^# asdf-plugin: (\S+) (\S+)$/gm)].map(
    ([, plugin = "", version = ""]) => ({ plugin, version }),
  );
  const wanted = new Map(
    textOf(join(homedir(), ".tool-versions"))
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .map(([plugin = "", version = ""]) => [plugin, version]),
  );
  const one = offered.find(({ plugin, version }) => wanted.get(plugin) === version) ?? offered.at(-1);
  if (one === undefined) return undefined;
  const bin = join(process.env.ASDF_DATA_DIR ?? home, "installs", one.plugin, one.version, "bin");
  return { program: join(bin, name), folders: [bin] };
}

/** All shims of mise are links to it. */
function findOfMise(home: string, name: string): Behind | undefined {
  const installs = join(home, "installs");
  const wanted = toolsOfMise();
  const binOf = (tool: string, program: string) =>
    versionsOf(join(installs, tool), wanted.get(tool))
      .map((version) => join(installs, tool, version, "bin"))
      .find((bin) => exists(join(bin, program)));
  const tools = namesIn(installs).sort((a, b) => Number(wanted.has(b)) - Number(wanted.has(a)));
  const bin = tools.map((tool) => binOf(tool, name)).find((found) => found !== undefined);
  const node = binOf("node", "node");
  return bin === undefined
    ? undefined
    : { program: join(bin, name), folders: [bin, ...(node === undefined ? [] : [node])] };
}

/** The version that the settings name first, then the latest ones. */
function versionsOf(tool: string, wanted: string | undefined): string[] {
  const newest = namesIn(tool).sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return [...(wanted === undefined ? [] : [wanted]), "latest", ...newest];
}

/** The versions in the user's own settings of mise, by the folders that the tools have. */
function toolsOfMise(): Map<string, string> {
  const folder = process.env.MISE_CONFIG_DIR ?? join(homedir(), ".config", "mise");
  const tools = tomlOf(join(folder, "config.toml")).tools;
  const entries = typeof tools === "object" && tools !== null ? Object.entries(tools) : [];
  return new Map(
    entries.flatMap(([tool, value]: [string, unknown]) => {
      const first: unknown = Array.isArray(value) ? value[0] : value;
      const version =
        typeof first === "object" && first !== null && "version" in first ? first.version : first;
      return typeof version === "string" ? [[tool.replace(/[^a-zA-Z0-9]+/g, "-"), version] as const] : [];
    }),
  );
}

function tomlOf(file: string): Record<string, unknown> {
  try {
    return parse(textOf(file));
  } catch {
    return {};
  }
}

interface VoltaFile {
  package?: unknown;
  platform?: { node?: unknown } | null;
  node?: unknown;
}

function jsonOf(file: string): VoltaFile {
  try {
    return JSON.parse(textOf(file));
  } catch {
    return {};
  }
}

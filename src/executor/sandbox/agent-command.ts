import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import sea from "node:sea";
import { MillraceError } from "../../errors/error.ts";
import { assetPath } from "../../platform/assets.ts";
import type { Folders } from "./sandbox.ts";

/** The name under which agents find it on their PATH. */
const NAME = "millrace";
/** What the launcher starts: the commands for agents alone, in one file. */
const PROGRAM = "millrace.cjs";
const BUILT = "dist/agent/millrace.cjs";

/**
 * Puts the command that agents use into a folder of its own: a launcher and one file, which nobody but the server's user
 * may change, and everybody may read. It lies with the workspaces, the one place of the data folder that other users can
 * pass to.
 *
 * Whatever an earlier server has left there is replaced, file by file, so that the programs of runs never see a part.
 * @returns the folder, for the PATH of agents
 */
export async function installAgentCommand({ workspaces }: Pick<Folders, "workspaces">): Promise<string> {
  const folder = join(workspaces, ".bin");
  // A link or a file that was put there instead.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  if (!sea.isSea()) await copyFile(assetPath(BUILT), join(folder, PROGRAM));
  await writeFile(join(folder, NAME), launcher(), { flag: "wx" });
  // The server's umask lets nobody else read what it makes.
  if (!sea.isSea()) await chmod(join(folder, PROGRAM), 0o444);
  await chmod(join(folder, NAME), 0o555);
  await chmod(folder, 0o755);
  return folder;
}

/** The Node that serves runs it, or another one where the program's user cannot reach that. A binary runs itself. */
function launcher(): string {
  const own = quoted(process.execPath);
  if (sea.isSea()) return `#!/bin/sh\nexec ${own} "$@"\n`;
  return `#!/bin/sh
node=${own}
[ -x "$node" ] || node=node
exec "$node" "\${0%/*}/${PROGRAM}" "$@"
`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A PATH on which the command of agents comes first. */
export const withCommand = (folder: readonly string[], path: string): string =>
  [...folder, path].filter(Boolean).join(delimiter);

/**
 * What the kernel counts for each user, in whatever namespace its processes are, and what a run may take of it: a small part of what
 * a user has by default, and more than programs need.
 */
const COUNTED = [
  { option: "msgqueue", name: "Max msgqueue size", most: 256 * 1024 },
  { option: "sigpending", name: "Max pending signals", most: 4_096 },
  { option: "memlock", name: "Max locked memory", most: 1024 * 1024 },
] as const;

/**
 * The options of prlimit that bound it.
 * @param limits those of this process, as the kernel tells them: nobody but the superuser may raise one
 */
export function countedLimits(limits: string = ownLimits()): string[] {
  return COUNTED.flatMap(({ option, name, most }) => {
    const [, soft, hard] = new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(limits) ?? [];
    if (soft === undefined || hard === undefined) return [];
    const bounded = (limit: string) => (limit === "unlimited" ? most : Math.min(Number(limit), most));
    return [`--${option}=${bounded(soft)}:${bounded(hard)}`];
  });
}

/** Nothing where the system does not tell them. */
function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

/**
 * Names that programs of the C library obey before their first line runs, some by loading code: glibc's own list of what
 * it drops for programs that have more rights than their caller (sysdeps/generic/unsecvars.h). A sandbox is made by such
 * a program, outside of itself.
 */
const LOADER =
  /^(LD_.*|GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES|HOSTALIASES|LOCALDOMAIN|LOCPATH|MALLOC_.*|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TMPDIR|TZDIR)$/;

/** Names by which a shell runs what their values say before its first line; one stands before each program. */
export const SHELL = /^(SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*|PS4)$/;

/** Names that tell a container engine's command where its engine is and how to reach it. */
export const ENGINE =
  /^(DOCKER_.*|CONTAINERS?_.*|PODMAN_.*|BUILDAH_.*|STORAGE_.*|REGISTRY_.*|XDG_.*|DBUS_.*|NOTIFY_SOCKET|LISTEN_.*|GODEBUG|GOTRACEBACK|SSL_CERT_.*|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

/**
 * Refuses an environment that would steer the program that makes the sandbox. Only secrets are named by definitions, so
 * it is one of these.
 * @throws MillraceError `environment_setup_failed`
 */
export function refuseSteering(names: readonly string[], also?: RegExp): void {
  const found = names.filter((name) => LOADER.test(name) || also?.test(name));
  if (found.length === 0) return;
  throw new MillraceError(
    "environment_setup_failed",
    `The run is granted ${found.join(", ")}, but an environment variable with such a name would control the program that creates the sandbox`,
    { remedy: "Store the value under a different name, and set the variable in the agent's program." },
  );
}

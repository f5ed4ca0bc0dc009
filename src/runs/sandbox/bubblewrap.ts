import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { followLinks } from "./follow-links.ts";
import { handOver } from "./hand-over.ts";
import { locateProgram } from "./locate-program.ts";
import { killLeftovers, signalGroup, waitForEnd } from "./process-tree.ts";
import { type RunUser, runUser, type UserRange } from "./run-user.ts";
import type { Folders, RunProgram, Sandbox } from "./sandbox.ts";
import { isWithin, type ShownPaths, showPaths } from "./shown-paths.ts";
import { refuseSteering } from "./steering-names.ts";
import { isSystemPath } from "./system-folders.ts";
import { visiblePrograms } from "./visible-programs.ts";

/** What bubblewrap sandboxes of this server have in common. */
export interface BubblewrapParts {
  /** Paths of the programs that make one. */
  programs: { bwrap: string; prlimit: string | undefined; setpriv: string | undefined };
  /** Which of bwrap's younger options this one has. */
  has(option: string): boolean;
  /** Where the users of runs come from, when the server may be somebody else than itself. */
  users: UserRange | undefined;
  /** The options that show the system's folders. */
  system: readonly string[];
  /** Folders and files that the settings show beyond them. */
  paths: readonly string[];
  network: boolean;
  /** How many processes and threads a run may have. */
  processes: number;
  /** What no program of a run may see, wherever it lies, but for its own workspace. */
  folders: Folders;
}

/** Of memory: /tmp and /dev/shm are made of it. */
const TMPFS_BYTES = 1024 * 1024 * 1024;

/**
 * Programs run in namespaces of their own, made by bubblewrap (https://github.com/containers/bubblewrap). They see the
 * system's folders, their program and their workspace, and no process but their own; when the first of them ends, so do
 * the others.
 */
export function bubblewrap(parts: BubblewrapParts): Sandbox {
  const { users, programs } = parts;
  /** The first processes of namespaces that are being ended, as far as they are known, by the program that was started. */
  const ending = new Map<number, number | undefined>();
  return {
    mode: "bwrap",
    weaknesses: weaknesses(parts),
    async handOver(runId, workspace) {
      if (users) await handOver(workspace, runUser(runId, users));
    },
    launch(program) {
      refuseSteering(Object.keys(program.environment));
      const { command, path } = locateProgram(program.command, program.environment.PATH ?? "");
      const environment = { ...program.environment, PATH: path };
      const user = users && runUser(program.runId, users);
      return {
        command: programs.bwrap,
        args: [
          ...bubblewrapOptions({ ...program, command, environment }, parts),
          ...["--", ...limits(parts, user), ...command],
        ],
        cwd: "/",
        environment,
      };
    },
    terminate(pid) {
      ending.set(pid, terminateInside(pid));
    },
    // The kernel ends all processes of a namespace with its first, and that ends with what was started. Only whoever
    // ended it waits for that: he is about to say that nothing runs any more.
    async endLeftBehind(runId, pid = 0) {
      if (!ending.has(pid)) return;
      const leader = ending.get(pid);
      ending.delete(pid);
      if (leader !== undefined) await waitForEnd(leader);
      // Bubblewrap that is ended while it begins can leave a namespace that has not been bound to it yet.
      await killLeftovers(runId, users && runUser(runId, users).uid);
    },
  };
}

function bubblewrapOptions(
  { command, workspace, environment }: RunProgram,
  parts: BubblewrapParts,
): string[] {
  const { users, has, network, system, folders } = parts;
  // The superuser's own makes a program another user; everybody else's can only be made in a user namespace.
  const privileges = users
    ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    : ["--unshare-user", ...(has("--disable-userns") ? ["--disable-userns"] : [])];
  const { mounts, links } = shownOf(command, environment.PATH ?? "", parts);
  const workspacePlace = realPath(workspace);
  return [
    ...["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...privileges,
    // A session of its own cannot type into the server's terminal, and is a group that a SIGTERM can be sent to.
    ...["--die-with-parent", "--new-session"],
    ...system,
    ...["--proc", "/proc", "--dev", "/dev", ...memoryFolder("/tmp", has), ...memoryFolder("/dev/shm", has)],
    ...mounts.flatMap(readOnly),
    ...links.flatMap(linked),
    // Last, so that they are hidden wherever they lie; then only the workspace is seen in them.
    ...hidden(folders).flatMap((folder) => [...openTo(folder), "--tmpfs", folder]),
    ...[...openTo(workspacePlace), "--bind", workspacePlace, workspacePlace],
    ...hidden(folders).flatMap((folder) => ["--remount-ro", folder]),
    ...["--chdir", workspace, "--remount-ro", "/"],
  ];
}

/** What is seen beyond the system's folders: the paths of the settings wherever they lie, and what the command takes. */
function shownOf(command: readonly string[], path: string, { paths, folders }: BubblewrapParts): ShownPaths {
  const own = hidden(folders);
  const chosen = paths.map(realPath);
  const isChosen = (path: string) => chosen.includes(path);
  return showPaths(
    [
      ...[...paths, folders.path, folders.workspaces].map((path) => ({ path })),
      ...visiblePrograms(command, path),
    ],
    (path) => !isChosen(path) && (isSystemPath(path) || own.some((place) => isWithin(path, place))),
  );
}

const realPath = (path: string) => followLinks(path).real;

/** Workspaces in the data folder are hidden with it. */
function hidden({ path, workspaces }: Folders): string[] {
  const [data, ofRuns] = [realPath(path), realPath(workspaces)];
  return isWithin(ofRuns, data) ? [data] : [data, ofRuns];
}

/** Bubblewrap would make the folders above as closed as they are outside, where they may be the superuser's alone. */
const openTo = (path: string) => ["--dir", dirname(path)];
const readOnly = (path: string) => [...openTo(path), "--ro-bind-try", path, path];
const linked = ({ link, to }: { link: string; to: string }) => [...openTo(link), "--symlink", to, link];

function memoryFolder(path: string, has: BubblewrapParts["has"]): string[] {
  const size = has("--size") ? ["--size", String(TMPFS_BYTES)] : [];
  return [...(has("--perms") ? ["--perms", "1777"] : []), ...size, "--tmpfs", path];
}

/** What runs inside before the program: the limit counts the processes of the user that the program then becomes. */
function limits(
  { programs: { prlimit, setpriv }, processes }: BubblewrapParts,
  user: RunUser | undefined,
): string[] {
  return [
    ...(prlimit ? [prlimit, `--nproc=${processes}:${processes}`, "--"] : []),
    ...(user && setpriv
      ? [setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--inh-caps=-all", "--"]
      : []),
  ];
}

/**
 * Bubblewrap itself ends at a SIGTERM and takes everything with it. So the signal goes to the session inside, whose leader
 * is the only child of the process that was started: the first process of the namespace, which does not mind it.
 * @returns that first process
 */
function terminateInside(pid: number): number | undefined {
  const leader = childrenOf(pid)[0];
  if (leader === undefined || !signalGroup(leader, "SIGTERM")) signalGroup(pid, "SIGTERM");
  return leader;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function weaknesses({ users, network, programs }: BubblewrapParts): string[] {
  return [
    ...(network ? ["Agents share the network of the server, its loopback addresses included."] : []),
    ...(users
      ? []
      : ["Agents have the user of the server, which is not root: only namespaces keep them apart."]),
    ...(programs.prlimit
      ? []
      : ["The number of processes of a run is not limited: prlimit (util-linux) is missing."]),
    "The memory of a run is not limited.",
  ];
}

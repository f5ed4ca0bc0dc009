import { dirname, join } from "node:path";
import { behindForwarder } from "../network/forwarder.ts";
import { objectsOf } from "../workspace/shared-objects.ts";
import { countedLimits, refuseSteering, SHELL, withCommand } from "./agent-command.ts";
import { endNoted, findNoted } from "./first-process.ts";
import { heldNetwork, unheldNetwork } from "./held-network.ts";
import { locateProgram } from "./locate-program.ts";
import { followLinks } from "./look-at-files.ts";
import { killLeftovers, signalGroup } from "./process-tree.ts";
import { chownWorkspace, type RunUser, runUser, type UserRange } from "./run-user.ts";
import { type Folders, PUBLIC_WORKSPACE, type RunProgram, type Sandbox, UNPROTECTED } from "./sandbox.ts";
import { GATE_DESCRIPTOR, INFO_DESCRIPTOR, waitAtGate } from "./start-program.ts";
import { isSystemPath } from "./system-folders.ts";
import { isWithin, type ShownPaths, showPaths, visiblePrograms, visibleToAll } from "./visible-programs.ts";

/** What bubblewrap sandboxes of this server have in common. */
export interface BubblewrapDeps {
  /** Paths of the programs that make one. */
  programs: {
    bwrap: string;
    prlimit: string | undefined;
    setpriv: string | undefined;
    socat: string | undefined;
  };
  /** Which of bwrap's younger options this one has. */
  has(option: string): boolean;
  /** Where the users of runs come from, when the server may be someone else than itself. */
  users: UserRange | undefined;
  /** The options that show the system's folders. */
  system: readonly string[];
  /** Folders and files that the settings show beyond them. */
  paths: readonly string[];
  network: boolean;
  /** The file of the filter for programs whose network is held. */
  socketFilter: string | undefined;
  /** How many processes and threads a run may have. */
  processes: number;
  /** What no program of a run may see, wherever it lies, but for its own workspace. */
  folders: Folders;
  /** The folder with the command that agents use. */
  agentCommand?: string;
}

/** Of memory: /tmp and /dev/shm are made of it. */
const TMPFS_BYTES = 1024 * 1024 * 1024;

/**
 * Programs run in namespaces of their own, made by bubblewrap (https://github.com/containers/bubblewrap). They see the
 * system's folders, their program and their workspace, and no process but their own. The first process of a namespace
 * is not the program's to trace, and is noted before the program starts: whatever that does, all of it ends with that
 * process, which is killed from outside.
 */
export function bubblewrap(deps: BubblewrapDeps): Sandbox {
  const { users, programs, folders } = deps;
  const noteOf = (runId: string) => join(folders.firstProcesses, runId);
  return {
    mode: "bwrap",
    weaknesses: weaknesses(deps),
    limitsSize: false,
    sharesNetwork: deps.network,
    findsLocalServices: deps.network,
    unheldNetwork: unheldNetwork(deps.network, { ...programs, socketFilter: deps.socketFilter }),
    reachesApi: deps.network,
    hasCommand: deps.network && deps.agentCommand !== undefined,
    sharesObjects: true,
    async chownWorkspace(runId, workspace, files) {
      if (users) await chownWorkspace(files, workspace, runUser(runId, users));
    },
    launch(asked) {
      // Without any network, there is nothing to hold.
      const program = deps.network ? asked : { ...asked, network: undefined };
      refuseSteering(Object.keys(program.environment), SHELL);
      const { command, path } = locateProgram(program.command, program.environment.PATH ?? "");
      const held = heldNetwork(program, deps);
      const environment = {
        ...program.environment,
        ...held.environment,
        PATH: withCommand(commandFolder(deps), path),
      };
      const user = users && runUser(program.runId, users);
      return {
        command: programs.bwrap,
        args: [
          ...bubblewrapOptions({ ...program, command, environment }, deps),
          "--",
          ...waitAtGate(GATE_DESCRIPTOR),
          ...(users ? [] : apart(deps)),
          ...limits(deps, user),
          ...(program.network && programs.socat !== undefined
            ? behindForwarder({ socat: [programs.socat] })
            : []),
          ...command,
        ],
        cwd: "/",
        environment,
        note: noteOf(program.runId),
        ...held.launch,
      };
    },
    terminate(pid, runId) {
      // Bubblewrap itself ends at a SIGTERM and takes everything with it. So the signal goes to the session inside, whose
      // leader is the first process of the namespace, which does not mind it.
      const first = findNoted(noteOf(runId));
      if (first === undefined || !signalGroup(first, "SIGTERM")) signalGroup(pid, "SIGTERM");
    },
    async endLeftBehind(runId) {
      const end = await endNoted(noteOf(runId));
      // What ended before it was noted never got to the agent's program, and can have left a process of bubblewrap, which has the mark
      // of the run. The run's user may be that of another run, where there are few.
      if (end === "nothing noted") return killLeftovers(runId);
      return end === "ended";
    },
  };
}

/**
 * A user namespace below that of the first process, for a program that has the same user: the kernel lets no one trace
 * a process of a namespace above its own, regardless of the user. Without it an agent could make the first process live
 * on.
 */
function apart({ programs: { bwrap }, has }: BubblewrapDeps): string[] {
  return [
    ...[bwrap, "--unshare-user", ...(has("--disable-userns") ? ["--disable-userns"] : [])],
    ...["--die-with-parent", "--dev-bind", "/", "/", "--"],
  ];
}

function bubblewrapOptions(program: RunProgram, deps: BubblewrapDeps): string[] {
  const { workspace, environment } = program;
  const { users, programs, has, network, system, folders } = deps;
  // The superuser's own makes a program another user; everybody else's can only be made in a user namespace.
  const privileges = users
    ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    : // The bubblewrap inside is the first process: one less, and one that does not mind a SIGTERM.
      ["--unshare-user", "--as-pid-1"];
  const { mounts, links } = shownOf(program, environment.PATH ?? "", deps);
  const workspacePlace = realPath(workspace);
  // What is shown at that path goes before: a program or a folder of the settings.
  const isTaken =
    mounts.includes("/") ||
    [workspacePlace, ...hidden(folders), ...mounts, ...links.map(({ link }) => link)].some((path) =>
      isWithin(path, PUBLIC_WORKSPACE),
    );
  return [
    ...["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network && !program.network ? [] : ["--unshare-net"]),
    ...["--info-fd", String(INFO_DESCRIPTOR)],
    ...privileges,
    // A session of its own cannot type into the server's terminal, and is a group that a SIGTERM can be sent to.
    ...["--die-with-parent", "--new-session"],
    ...system,
    ...["--proc", "/proc", "--dev", "/dev", ...memoryFolder("/tmp", has), ...memoryFolder("/dev/shm", has)],
    ...mounts.flatMap(readOnly),
    ...links.flatMap(linked),
    ...(isSystemPath(programs.bwrap) ? [] : readOnly(programs.bwrap)),
    // Last, so that they are hidden wherever they lie; then only the workspace is seen in them.
    ...hidden(folders).flatMap((folder) => [...openTo(folder), "--tmpfs", folder]),
    ...[...openTo(workspacePlace), "--bind", workspacePlace, workspacePlace],
    ...commandFolder(deps).flatMap((folder) => ["--ro-bind", folder, folder]),
    ...heldNetwork(program, deps).options,
    ...["--ro-bind-try", objectsOf(workspacePlace), objectsOf(workspacePlace)],
    ...(isTaken ? [] : ["--bind", workspacePlace, PUBLIC_WORKSPACE]),
    ...hidden(folders).flatMap((folder) => ["--remount-ro", folder]),
    ...["--chdir", workspace, "--remount-ro", "/"],
  ];
}

/**
 * What is seen beyond the system's folders: the paths of the settings wherever they lie, and what the command takes.
 */
function shownOf(
  { command, starts = [] }: Pick<RunProgram, "command" | "starts">,
  path: string,
  { paths, folders }: BubblewrapDeps,
): ShownPaths {
  const own = hidden(folders);
  const chosen = paths.map(realPath);
  const isChosen = (path: string) => chosen.includes(path);
  return showPaths(
    [
      ...[...paths, folders.path, folders.workspaces].map((path) => ({ path })),
      ...visiblePrograms(command, path),
      ...starts.flatMap((words) => visibleToAll(words, path)),
    ],
    (path) => !isChosen(path) && (isSystemPath(path) || own.some((place) => isWithin(path, place))),
  );
}

/** None where programs go without the command. */
const commandFolder = ({ agentCommand }: BubblewrapDeps) =>
  agentCommand === undefined ? [] : [realPath(agentCommand)];

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

function memoryFolder(path: string, has: BubblewrapDeps["has"]): string[] {
  const size = has("--size") ? ["--size", String(TMPFS_BYTES)] : [];
  return [...(has("--perms") ? ["--perms", "1777"] : []), ...size, "--tmpfs", path];
}

/** What runs inside before the program: the limit counts the processes of the user that the program then becomes. */
function limits(
  { programs: { prlimit, setpriv }, processes }: BubblewrapDeps,
  user: RunUser | undefined,
): string[] {
  return [
    ...(prlimit ? [prlimit, `--nproc=${processes}:${processes}`, ...countedLimits(), "--"] : []),
    ...(user && setpriv
      ? [setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--inh-caps=-all", "--"]
      : []),
  ];
}

function weaknesses({ users, network, programs }: BubblewrapDeps): string[] {
  return [
    ...(network ? ["Agents share the server's network, including its loopback addresses."] : []),
    ...(users
      ? []
      : ["Agents run as the server's user, which is not root: only namespaces isolate them.", UNPROTECTED]),
    ...(programs.prlimit
      ? []
      : ["The number of processes of a run is not limited: prlimit (util-linux) is not installed."]),
  ];
}

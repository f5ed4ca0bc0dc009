import { chmod, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { countedLimits, withCommand } from "./agent-command.ts";
import { locateProgram } from "./locate-program.ts";
import { killLeftovers, signalGroup } from "./process-tree.ts";
import { chownWorkspace, type RunUser, runUser, type UserRange } from "./run-user.ts";
import type { Folders, Sandbox } from "./sandbox.ts";

export interface UnconfinedDeps {
  /** Where the users of runs come from, when programs can run as someone else than the server. */
  users?: UserRange | undefined;
  /** Why they cannot. */
  sameUser?: string | undefined;
  prlimit?: string | undefined;
  /** The folder with the command that agents use; programs that are no agent's need none. */
  agentCommand?: string;
  /** How many processes and threads a run may have, which only a user of its own can be held to. */
  processes?: number;
}

/**
 * Programs see what the server sees, each run as a user of its own where that can be, else as the server. What they
 * leave behind is found by that user, and by the mark in its environment.
 */
export function unconfined({
  users,
  sameUser,
  prlimit,
  processes,
  agentCommand,
}: UnconfinedDeps = {}): Sandbox {
  const userOf = (runId: string): RunUser | undefined => users && runUser(runId, users);
  // The processes of one's own user are the server's too.
  const ofUser = users ? [`--nproc=${processes}:${processes}`] : [];
  const limit = prlimit ? [prlimit, ...ofUser, ...countedLimits(), "--"] : [];
  return {
    mode: "none",
    limitsSize: false,
    sharesNetwork: true,
    findsLocalServices: true,
    unheldNetwork:
      "without a sandbox (MILLRACE_SANDBOX is none, or no other mode works here), nothing limits what agents reach",
    reachesApi: true,
    hasCommand: agentCommand !== undefined,
    // An agent with the user of the server could write them.
    sharesObjects: users !== undefined,
    weaknesses: [
      "Agents are not isolated: they can access the files and processes that their user can access, and the machine's network.",
      ...(users
        ? []
        : [
            sameUser ??
              "Agents run as the server's user, so they can read and change everything that the server can.",
          ]),
      ...(users && prlimit ? [] : ["The number of processes of a run is not limited."]),
    ],
    async chownWorkspace(runId, workspace, files) {
      const user = userOf(runId);
      if (user) await chownWorkspace(files, workspace, user);
    },
    launch({ runId, command: program, workspace, environment }) {
      const { command: words, path } = locateProgram(program, environment.PATH ?? "");
      const [command = "", ...args] = [...limit, ...words];
      const PATH = withCommand(agentCommand === undefined ? [] : [agentCommand], path);
      return { command, args, cwd: workspace, environment: { ...environment, PATH }, user: userOf(runId) };
    },
    terminate: (pid) => void signalGroup(pid, "SIGTERM"),
    endLeftBehind: (runId) => killLeftovers(runId, userOf(runId)?.uid),
  };
}

/**
 * Lets other users pass through to the workspaces, each of which is its run's alone, and nowhere else in the data
 * folder.
 * @returns what is in the way, when the workspaces lie where others may not pass
 */
export async function openWayTo({
  path: dataFolder,
  workspaces,
}: Pick<Folders, "path" | "workspaces">): Promise<string | undefined> {
  const passed = workspaces === join(dataFolder, "workspaces") ? [dataFolder, workspaces] : [workspaces];
  for (let folder = dirname(passed[0] ?? workspaces); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0)
      return `Agents run as the server's user, root: other users cannot reach the workspaces through ${folder}.`;
    if (folder === dirname(folder)) break;
  }
  for (const name of await readdir(dataFolder)) await withoutOthers(join(dataFolder, name));
  for (const folder of passed) await chmod(folder, 0o711);
  return undefined;
}

/** The store opens at the same time, and its journals come and go. */
async function withoutOthers(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
  } catch (error) {
    emptyIfMissing(error);
  }
}

import type { TurnResources } from "../../runs/output/usage.ts";
import type { Machine } from "../../runs/turn/assignment.ts";
import type { SandboxMode } from "../../runs/turn/isolation.ts";
import type { RunCgroup } from "../cgroups/run-cgroup.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { LocalEndpointsSpec } from "../network/proxy/local-endpoints.ts";
import type { ProxySpec } from "../network/proxy/run-proxy.ts";
import type { RunUser } from "./run-user.ts";

/**
 * Where the public service has the workspace of a run: programs of runs find it there too, where a sandbox has its own
 * view.
 */
export const PUBLIC_WORKSPACE = "/workspace";

/** Where a server keeps what is its own. */
export interface Folders {
  path: string;
  /** Of all runs; in it, unless the settings say otherwise. */
  workspaces: string;
  /** Where the first processes of runs' namespaces are noted, a file for each run. */
  firstProcesses: string;
  /** Where the sockets of runs' network proxies lie. */
  networkSockets: string;
}

/** A program of a run, as it would be started without a sandbox. */
export interface RunProgram extends Machine {
  runId: string;
  /** A folder with the file of credentials with which an engine pulls the image. */
  registryAuth?: string | undefined;
  /** The program and its arguments. */
  command: readonly string[];
  /** Commands that its definition has it start, and that it needs to see as far as everybody on this machine may read them. */
  starts?: readonly (readonly string[])[];
  /** The folder that it works in, the only one that it may write. */
  workspace: string;
  /** Its whole environment. */
  environment: Readonly<Record<string, string>>;
  /** What it may reach over the network, and where the API is; without it, everything that the sandbox lets through. */
  network?: HeldNetwork | undefined;
}

/** A network in which there is only the API of the server, and what a policy allows: its proxy, but for where its files are. */
export type HeldNetwork = Omit<ProxySpec, "socat" | "folder" | "name">;

/** What has to be spawned so that a program runs in a sandbox. `startProgram` does it. */
export interface Launch {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** Whom it is spawned as, when that is not the user of the server. */
  user?: RunUser | undefined;
  /** A file in which the first process of its namespace is noted before the program in it starts; it waits for that. */
  note?: string | undefined;
  /** Ends what does not end with the process that is spawned. */
  removal?: { command: string; args: readonly string[]; environment: Record<string, string> } | undefined;
  /** Made before it is spawned, which then waits until it is in there. */
  cgroup?: RunCgroup | undefined;
  /** A file with a filter of system calls, which it reads from a descriptor of its own. */
  filter?: string | undefined;
  /** What is opened before it is spawned, and closed when it has ended. */
  proxy?: ProxySpec | undefined;
  /** Services on the loopback interface, for a program whose network is not limited. LOCAL_ORIGIN stands for their origin until they are open. */
  endpoints?: LocalEndpointsSpec | undefined;
}

/** Whether a proxy stands between a program and its model. */
export const hasProxy = ({ proxy, endpoints }: Launch): boolean =>
  proxy !== undefined || endpoints !== undefined;

/** A weakness of each sandbox whose programs have the user of the server. */
export const UNPROTECTED =
  "Availability is not protected: agents have the same user as the server, and the kernel limits epoll watches, inotify watches, keys, pending signals and other resources per user. An agent that uses them up can end or slow down the server and all other runs.";

/** A way to keep the programs of runs apart. */
export interface Sandbox {
  readonly mode: SandboxMode;
  /** What it does not keep apart on this server, a sentence each. */
  readonly weaknesses: readonly string[];
  /** Whether programs get no more of the machine than the instanceShape of their runner has. */
  readonly limitsSize: boolean;
  /** Whether programs can reach what listens on this machine alone, and send from its addresses. */
  readonly sharesNetwork: boolean;
  /** Whether a program without a proxy of its own finds what listens on the loopback interface of this machine. */
  readonly findsLocalServices: boolean;
  /** Why it cannot hold programs to a network policy, a sentence; nothing when it can. */
  readonly unheldNetwork: string | undefined;
  /** Whether programs reach the API of the server. */
  readonly reachesApi: boolean;
  /** Whether programs find the command `millrace`, with which they can use the API. */
  readonly hasCommand: boolean;
  /** Whether the run's programs read objects that clones share with mirrors, and cannot write them. */
  readonly sharesObjects: boolean;
  /**
   * Where programs run in images: which one a name stands for on this machine now, as the engine knows it.
   * @returns nothing for one that has to be pulled first
   */
  findImage?(name: string | undefined): Promise<string | undefined>;
  /** Gives what is in a workspace now to the user that the run's programs run as; so before each program. */
  chownWorkspace(runId: string, workspace: string, files: Pick<FileWorker, "run">): Promise<void>;
  /** @throws MillraceError that says why the program cannot run in this sandbox */
  launch(program: RunProgram): Launch;
  /** Asks a started program and its children to end: SIGTERM. A SIGKILL to its process group ends them permanently. */
  terminate(pid: number, runId: string): void;
  /** Why the kernel has killed the program of a run that has ended, where it lacked memory; asked before its remains are ended. */
  findMemoryKill?(runId: string): string | undefined;
  /** What the program of a run that has ended has taken of the machine, where that is counted; asked before its remains are ended. */
  findResources?(runId: string): TurnResources | undefined;
  /**
   * Ends whatever of a run is still alive, and waits until it has ended; also what an earlier process of the server had
   * started in this mode.
   * @param pid the program that has ended; none after a crash
   * @returns whether nothing is left that could be found
   */
  endLeftBehind(runId: string, pid?: number): Promise<boolean>;
}

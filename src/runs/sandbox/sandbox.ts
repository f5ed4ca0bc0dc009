/** How programs of runs are kept apart from the server and from each other. */
export type SandboxMode = "bwrap" | "container" | "none";

/** The machine that a runner or an environment asks for. */
export interface Machine {
  /** The container image. */
  image?: string;
  /** Processors, and memory in gibibytes. */
  shape?: { vcpus: number; memoryGb: number };
}

/** A program of a run, as it would be started without a sandbox. */
export interface RunProgram extends Machine {
  runId: string;
  /** The program and its arguments. */
  command: readonly string[];
  /** The folder that it works in, the only one that it may write. */
  workspace: string;
  /** Its whole environment. */
  environment: Readonly<Record<string, string>>;
}

/** What has to be spawned so that a program runs in a sandbox. */
export interface Launch {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
}

/** A way to keep the programs of runs apart. */
export interface Sandbox {
  readonly mode: SandboxMode;
  launch(program: RunProgram): Launch;
  /** Ends whatever of a run is still alive; also what an earlier process of the server had started. */
  endLeftBehind(runId: string): Promise<void>;
}

import type { Artifact } from "../output/artifact.ts";
import type { Run } from "../run.ts";

/** Whether a wait is over when all of its runs have ended, or when one of them has. */
export const WAIT_MODES = ["all", "any"] as const;
export type WaitMode = (typeof WAIT_MODES)[number];

/** How many runs a run can wait for at the same time. */
export const MAX_WAITED = 50;
/** How many waits a run can have at the same time. */
export const MAX_WAITS = 20;
/** A wait opens turns without a person, so an agent that waits again and again must not use workers without a limit. */
export const MAX_WAITING_TURN = 1_000;

/** A wait as the agent of a run asks for it. */
export interface NewWait {
  runId: string;
  /** The turn whose agent asks for it. */
  turn: number;
  /** Descendants of the run; without them its own children that have not ended, or whose results it was not given. */
  targets?: readonly string[];
  mode: WaitMode;
  /** When the next turn begins whether they have ended or not. */
  until: string;
}

/** How a wait stands: its runs have ended as its mode asks, or not yet, or not in time. */
export type WaitState = "done" | "waiting" | "timed_out";

/** A run that is waited for. One that was deleted has an id only. */
export interface WaitedRun {
  id: string;
  run?: Run;
  artifacts: readonly Artifact[];
}

/** A wait that was recorded for a turn of a run, with the ids of its runs. */
export interface Wait {
  id: string;
  runId: string;
  turn: number;
  mode: WaitMode;
  until: string;
  targets: readonly string[];
}

/**
 * The wait and how it stands, or why there is none: the run has no agent, it is no ancestor of these runs, it has started
 * none, it would have too many waits or wait for too many runs, or it has done so too often.
 */
export type WaitOutcome =
  | { wait: Wait; state: WaitState }
  | { refused: "not running" | "no children" | "too many" | "too many waits" | "too often" }
  | { refused: "not below"; ids: readonly string[] };

/** Stores what runs wait for. The end of a run ends the waits for it in the same transaction. */
export interface WaitStore {
  /**
   * Records that a run waits. It replaces an earlier wait of the run for the same runs, because the client has sent it
   * again, and leaves all others. Also a wait that is over at once is recorded until its results were sent.
   */
  wait(wait: NewWait, at: string): Promise<WaitOutcome>;
  /** How a wait stands while the agent of its turn is alive, whatever other waits the run has; nothing after that. */
  findWaitState(wait: Wait, at: string): Promise<WaitState | undefined>;
  /** Whether the run has a wait in a turn whose agent is alive. */
  findIsWaiting(runId: string, turn: number): Promise<boolean>;
  /** Removes a wait because its results were sent to the agent, if that is alive. @param results as they were sent */
  takeWait(wait: Wait, results: readonly WaitedRun[], at: string): Promise<void>;
  /** Runs in the order of the ids, with what they have reported. */
  listWaited(ids: readonly string[]): Promise<WaitedRun[]>;
  /** Begins the next turns of at most so many runs that have reached the time limit of a wait. @returns how many */
  endOverdueWaits(at: string, limit: number): Promise<number>;
  /** How many runs have no agent, because they wait for other runs. */
  findRestingCount(): Promise<number>;
  /** The first time limit of a wait. It cannot end the wait while an agent is alive or a person is asked. */
  findNextWaitEnd(): Promise<string | undefined>;
}

/** How a wait stands, by how many of its runs have not ended. */
export function waitStateOf(
  { mode, until, targets }: Pick<Wait, "mode" | "until" | "targets">,
  open: number,
  at: string,
): WaitState {
  const isDone = mode === "all" ? open === 0 : open < targets.length || targets.length === 0;
  if (isDone) return "done";
  return until <= at ? "timed_out" : "waiting";
}

import type { Harness } from "../definitions/definition.ts";
import type { ErrorCode } from "../error.ts";
import type { Principal } from "../principals/principal.ts";
import type { FollowUp, FollowUpOutcome, FollowUpRules, NewFollowUp } from "./follow-up.ts";
import type { OnceKey, OnceOutcome } from "./once.ts";
import type { RunPage, RunQuery } from "./run-query.ts";
import type { Isolation } from "./sandbox/sandbox.ts";
import type { SkillReference } from "./skill-reference.ts";
import type { EndState, RunState } from "./state.ts";

/** How a run was started, as the public API names it. */
export type RunSource = "API" | "CLI" | "WEB_APP" | "CUSTOM_WEBHOOK" | "SCHEDULED_AGENT";

/** The resolved configuration of a run, in the shape of the public API. */
export interface AmbientAgentConfig {
  name?: string;
  model_id?: string;
  base_prompt?: string;
  environment_id?: string;
  runner_id?: string;
  skill_spec?: string;
  skills?: string[];
  worker_host?: string;
  harness?: { type: string; model_id?: string; reasoning_level?: string };
  secrets?: { name: string }[];
  [key: string]: unknown;
}

/** What executing a run takes, beyond what its configuration shows. */
export interface RunExecution {
  harness: Harness;
  /** Names of the managed secrets that the agent gets. */
  secrets: string[];
  /** What its request asks for and this server cannot prepare: it ends rather than run without. */
  unprepared?: string[];
}

/** A file that a run is given: its bytes, or the delivery whose body it is. */
export type NewAttachment = { name: string; mimeType: string } & (
  | { content: Uint8Array }
  | { deliveryBody: true }
);

/** A run as it is asked for. */
export interface NewRun {
  id: string;
  factoryUid: string | null;
  automationUid: string | null;
  agentUid: string | null;
  webhookUid: string | null;
  title: string;
  /** The request that the agent acts on, an envelope included. */
  prompt: string;
  source: RunSource;
  /** Who asked for it. */
  creator: Principal;
  /** Whom it acts as. */
  executor: Principal;
  /** The runs that it was started from, the first one first. */
  ancestors: string[];
  scheduleId: string | null;
  /** The skills of its configuration. */
  skills: SkillReference[];
  config: AmbientAgentConfig;
  execution: RunExecution;
  metadata: Record<string, string>;
  attachments: NewAttachment[];
}

/** Why a run ended the way it did, in the shape of the public API. */
export interface RunStatusMessage {
  message: string;
  error_code?: ErrorCode;
  retryable?: boolean;
}

export interface Run extends Omit<NewRun, "attachments" | "skills"> {
  deliveryId: string | null;
  state: RunState;
  turn: number;
  sessionId: string | null;
  statusMessage: RunStatusMessage | null;
  exitCode: number | null;
  createdAt: string;
  updatedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** When somebody asked for its end, which comes when its agent is gone. */
  cancelRequestedAt: string | null;
}

/** Something that has happened to a run, under the names of the public API. */
export interface RunEvent {
  id: string;
  type: string;
  at: string;
  /** What there is to know about it beyond its type: of a start, how the agent is kept apart. */
  payload?: Isolation;
}

/** A run that a worker has taken, with the ticket it has to show from now on. */
export interface Claim {
  run: Run;
  ticket: number;
}

export interface Attachment {
  name: string;
  mimeType: string;
  size: number;
}

/** A piece of what an agent wrote. */
export interface OutputChunk {
  seq: number;
  turn: number;
  stream: "stdout" | "stderr";
  at: string;
  bytes: Uint8Array;
}

/** How a turn ended. */
export interface Ending {
  state: EndState;
  exitCode: number | null;
  statusMessage: RunStatusMessage | null;
}

/** Keeps runs. `find` and `list` read, the rest writes; each call is one transaction. */
export interface RunStore {
  create(run: NewRun, at: string): Promise<Run>;
  /** Creates a run unless the key has been used: then it answers as it did then. */
  createOnce(run: NewRun, once: OnceKey, answer: string, at: string): Promise<OnceOutcome>;
  /** What was answered under a key; nothing when it is new. */
  findAnswer(once: OnceKey): Promise<OnceOutcome | undefined>;
  /** Forgets the oldest keys, at most so many of those used before an instant. @returns how many */
  forgetAnswers(before: string, limit: number): Promise<number>;
  find(id: string): Promise<Run | undefined>;
  list(query: RunQuery): Promise<RunPage>;
  /** What has happened to a run, oldest first, after an event. */
  listEvents(runId: string, page: { after?: string; limit: number }): Promise<RunEvent[]>;
  /**
   * Takes a message for a run; what becomes of it is decided by the state that the run has in this transaction.
   * @returns nothing when there is no such run
   */
  followUp(
    followUp: NewFollowUp,
    rules: FollowUpRules,
    once: OnceKey | null,
    at: string,
  ): Promise<FollowUpOutcome | undefined>;
  listFollowUps(runId: string): Promise<FollowUp[]>;
  /**
   * Ends a waiting run at once, and asks for the end of one that a worker has.
   * @returns the state that it had; nothing when there is no such run
   */
  cancel(id: string, at: string): Promise<RunState | undefined>;
  /** The run that a token belongs to, while that run has not ended. */
  findByToken(tokenHash: string): Promise<Run | undefined>;
  /** Takes the oldest waiting runs, at most `limit`. */
  claim(limit: number, at: string): Promise<Claim[]>;
  /** Records that the agent is about to start. @returns whether the claim still held */
  start(
    claim: { id: string; ticket: number; sessionId: string; tokenHash: string; isolation?: Isolation },
    at: string,
  ): Promise<boolean>;
  /** @returns whether the claim still held */
  finish(claim: { id: string; ticket: number }, ending: Ending, at: string): Promise<boolean>;
  /** Runs that have started and not ended; after a crash, those whose processes may be left. */
  listStarted(): Promise<string[]>;
  /**
   * After a crash: runs that were only claimed wait again, runs that had started end in ERROR.
   * @returns the ids of those that had started
   */
  recoverLost(message: string, at: string): Promise<string[]>;
  appendOutput(runId: string, chunks: readonly OutputChunk[]): Promise<void>;
  listOutput(runId: string, afterSeq: number, limit: number): Promise<OutputChunk[]>;
  listAttachments(runId: string): Promise<Attachment[]>;
  findAttachment(runId: string, name: string): Promise<(Attachment & { content: Uint8Array }) | undefined>;
  /** How many runs are in each state that some are in. */
  listCountsByState(): Promise<Partial<Record<RunState, number>>>;
  /** Ids of the runs that deliveries have started, by delivery. */
  listIdsByDelivery(deliveryIds: readonly string[]): Promise<Record<string, string[]>>;
}

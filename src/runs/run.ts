import type { ErrorCode } from "../errors/error.ts";
import type { Principal } from "../principals/principal.ts";
import type { UsedUpDay } from "./rules/budget.ts";
import type { JudgedAnswer } from "./rules/output-answer.ts";
import type { PlanState } from "./rules/plan.ts";
import type { ProviderLimit } from "./rules/provider-limit.ts";
import type { RunKey } from "./rules/run-key.ts";
import type { NewRunTask } from "./rules/run-task.ts";
import type { SkillReference } from "./rules/skill-reference.ts";
import type { EndState, RunState } from "./rules/state.ts";
import type { AmbientAgentConfig, RunExecution } from "./run-config.ts";
import type { RunSchedule, RunSource } from "./run-source.ts";
import type { Isolation } from "./turn/isolation.ts";

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
  /** Of a run that a schedule started. */
  schedule?: RunSchedule;
  /** The skills of its configuration. */
  skills: SkillReference[];
  config: AmbientAgentConfig;
  execution: RunExecution;
  /** What it demands of the worker that executes it. */
  placement: string;
  metadata: Record<string, string>;
  attachments: NewAttachment[];
  /** Of a run that repeats another one, whose attachments it gets too. */
  rerun?: Rerun;
  /** The task that is made together with it. */
  task?: NewRunTask;
  /** What it is one thing with, of a delivery to an automation that has a key or a window. */
  keyed?: RunKey;
  /** What happened, of which other deliveries may tell too: only the first of them starts a run. */
  happening?: Uint8Array;
}

/** Why a run ended the way it did, in the shape of the public API. */
export interface RunStatusMessage {
  message: string;
  error_code?: ErrorCode;
  retryable?: boolean;
}

export interface Run extends Omit<NewRun, "attachments" | "skills" | "rerun" | "task" | "keyed"> {
  /** The automation of its family's root; null for a root, and where no automation of its factory has started the family. */
  rootAutomationUid: string | null;
  /** The task that it belongs to. */
  taskUid: string | null;
  /** The run that it repeats. */
  rerunOf: string | null;
  deliveryId: string | null;
  state: RunState;
  /** Whether a worker has it. */
  isLeased: boolean;
  /** The turn that it is in, or was in last; the first is 1. */
  turn: number;
  sessionId: string | null;
  /** What its harness calls the session that the next turn goes on with. */
  harnessSession: string | null;
  /** What its agent said at last, where its harness tells that from the rest. */
  answer: string | null;
  /** The last answer that fits the schema of the run, as JSON, and the turn that it is of. */
  answerJson: string | null;
  answerJsonTurn: number | null;
  statusMessage: RunStatusMessage | null;
  /** What its agent said last that it is doing. */
  statusLine: string | null;
  exitCode: number | null;
  createdAt: string;
  updatedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** How long its agents were alive in the turns that have ended, in milliseconds. */
  workedMs: number | null;
  /** How much of that they have waited for a person; not known of old runs. */
  awayMs: number | null;
  /** When someone asked for its end, which comes when its agent is gone. */
  cancelRequestedAt: string | null;
  /** The runs that it waits for and that have not ended; null for one that waits for none. */
  waitingFor: string[] | null;
  /** Of a run in plan mode: where its plan stands. */
  planState: PlanState;
  /** The model in whose place its turn uses the one of its execution; left out where that is its own. */
  fallbackOf?: string;
}

/** A run that a worker has taken, with the ticket it has to show from now on. */
export interface Claim {
  run: Run;
  ticket: number;
  /** Whether somebody else has the workspace of the run: what is left of an earlier turn here is out of date. */
  isElsewhere: boolean;
  /** Of one that is only ended: the limit of a day that refuses it. */
  refusal?: UsedUpDay;
}

/** What a worker shows to act on a run. */
export interface TurnReport {
  session?: string;
  answer?: string;
  /** The MCP servers that did not start. */
  failedServers?: FailedServer[];
}

export interface FailedServer {
  name: string;
  reason: string;
}

/** Whoever has claimed a turn and let it fall back, again and again. */
export interface FallenClaim {
  runId: string;
  home: string;
  /** For how long it gets none. */
  forMs: number;
}

export interface Attachment {
  name: string;
  mimeType: string;
  size: number;
}

/** How a turn ended. */
export interface Ending {
  state: EndState;
  exitCode: number | null;
  statusMessage: RunStatusMessage | null;
  /** What the agent says at last, if it is known only now. */
  answer?: string;
  /** Whether that answer is no more than its last output: an answer that the agent has reported stays. */
  isOutput?: true;
  /** What the program itself gives for an answer with the run's schema, as JSON; it is still to be checked. */
  answerJson?: string;
  /** What the server has found of that answer, of a run that has a schema for it. */
  checked?: JudgedAnswer;
  /** No program has been started: what the turn asked is still to be read. */
  isUnstarted?: true;
  /** The provider of its model did not let it go on: the run waits, and another turn continues it. */
  limit?: ProviderLimit;
}

/** What a run that repeats another one takes from it. */
interface Rerun {
  /** The id of the run that is repeated. */
  of: string;
  /** The delivery that started it. */
  deliveryId: string | null;
}

/** Something that has happened to a run, under the names of the public API. */
export interface RunEvent {
  id: string;
  type: string;
  at: string;
  /**
   * The turn in which it happened; of a start, also how the agent is kept apart; of a question, its message; of a
   * dismissal, the name of who ended the run, and why; of another run that its agent started, or was refused, which; of a
   * wait, the runs; of a refused trigger, the automation, and why; of a refused connection, its host and port, and why.
   * wait, the runs; of a refused trigger, the automation, and why; of a token of its identity, whom it is for; of an MCP server that
   * did not start, its name, and why; of the money of a family that is used up, the run that has used the last of it, and the limit.
   */
  payload?: {
    turn: number;
    message_id?: string;
    message_ids?: string[];
    run_ids?: string[];
    by?: string;
    reason?: string;
    run_id?: string;
    agent?: string;
    automation?: string;
    host?: string;
    name?: string;
    port?: number;
    audience?: string;
  } & Partial<Isolation>;
}

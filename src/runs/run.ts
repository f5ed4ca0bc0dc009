import type { ErrorCode } from "../errors/error.ts";
import type { Principal } from "../principals/principal.ts";
import type { RunCaps } from "./caps.ts";
import type { AnswerStore, IdempotencyKey, IdempotencyOutcome } from "./idempotency.ts";
import type { RunArtifactStore } from "./output/artifact.ts";
import type { OutputEndStore } from "./output/transcript.ts";
import type { UsageStore } from "./output/usage.ts";
import type { AgentReportStore } from "./rules/agent-report.ts";
import type { BudgetStore, UsedUpDay } from "./rules/budget.ts";
import type { ConversationStore } from "./rules/conversation.ts";
import type { Dismissal, FamilyStore } from "./rules/family.ts";
import type { FollowUpStore } from "./rules/follow-up.ts";
import type { ClaimReach } from "./rules/placement.ts";
import type { PlanState, PlanStore } from "./rules/plan.ts";
import type { WorkerRunStore } from "./rules/remote-worker.ts";
import type { AudienceStore } from "./rules/run-audience.ts";
import type { RunKey, RunKeyStore } from "./rules/run-key.ts";
import type { NewRunTask } from "./rules/run-task.ts";
import type { SkillReference } from "./rules/skill-reference.ts";
import type { EndState, RunState } from "./rules/state.ts";
import type { WaitStore } from "./rules/wait.ts";
import type { QueuePlaceStore } from "./rules/waiting.ts";
import type { AmbientAgentConfig, RunExecution } from "./run-config.ts";
import type { ListingBacklog, RunPage, RunQuery } from "./run-query.ts";
import type { RunSchedule, RunSource } from "./run-source.ts";
import type { Isolation } from "./turn/isolation.ts";
import type { ReachStore } from "./turn/reaches.ts";
import type { TurnStart } from "./turn/turn-start.ts";

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

export interface Ticket {
  id: string;
  ticket: number;
}

/** For how long a run is whose; a worker that is alive renews it. */
export interface Lease {
  worker: string;
  expiresAt: string;
  /** The request of a worker that asks for it; it may come again. */
  request?: string;
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
  /** No program has been started: what the turn asked is still to be read. */
  isUnstarted?: true;
}

/** An instant before which no run has ended: what is asked with it is whether a run is there at all. */
export const BEFORE_EVERY_END = "";

/** Keeps runs. `find` and `list` read, the rest writes; each call is one transaction. */
export interface RunStore
  extends FollowUpStore,
    ConversationStore,
    AgentReportStore,
    QueuePlaceStore,
    RunArtifactStore,
    OutputEndStore,
    UsageStore,
    ReachStore,
    FamilyStore,
    WaitStore,
    PlanStore,
    WorkerRunStore,
    BudgetStore,
    AudienceStore,
    RunKeyStore,
    AnswerStore {
  create(run: NewRun, at: string): Promise<Run>;
  /** Creates a run unless the key has been used: then it answers as it did then. */
  createOnce(run: NewRun, once: IdempotencyKey, answer: string, at: string): Promise<IdempotencyOutcome>;
  find(id: string): Promise<Run | undefined>;
  findBySession(sessionId: string): Promise<Run | undefined>;
  list(query: RunQuery): Promise<RunPage>;
  /** Brings the list up to date with at most so many changes. @returns what is left */
  updateListing(limit: number): Promise<ListingBacklog>;
  findListingBacklog(): Promise<ListingBacklog>;
  /** Whether {@link updateListing} has something to write. */
  findListingDue(): Promise<boolean>;
  /** What has happened to a run, oldest first, after an event. */
  listEvents(runId: string, page: { after?: string; limit: number }): Promise<RunEvent[]>;
  /** Ends a run that no worker has, or asks for the end of one that a worker has. @returns its state before; nothing when there is none */
  cancel(id: string, at: string): Promise<RunState | undefined>;
  /** Ends a blocked run, or asks for its end while its agent is alive. @returns its state before; nothing when there is none */
  dismiss(id: string, dismissal: Dismissal, at: string): Promise<RunState | undefined>;
  /** The states of those runs that there are. */
  listStates(ids: readonly string[]): Promise<Record<string, RunState>>;
  /** The run that a token belongs to, while its agent is alive. */
  findByToken(tokenHash: string): Promise<Run | undefined>;
  /** The run whose last turn that has ended had this token. */
  findByEndedToken(tokenHash: string): Promise<Run | undefined>;
  /** Takes the oldest waiting runs that the caps have room for, at most `limit`, within the reach of who claims. */
  claim(limit: number, lease: Lease, at: string, caps?: RunCaps, reach?: ClaimReach): Promise<Claim[]>;
  /** What a request of a worker has claimed that it has still, and whose agents were not started. */
  listClaimed(lease: Pick<Lease, "worker" | "request">, at: string): Promise<Claim[]>;
  /** Says that turns were not given to those who claimed them, who did not let them fall then. */
  disclaim(turns: readonly Ticket[]): Promise<void>;
  /** Says that a worker is alive. */
  renewLeases(lease: Lease): Promise<number>;
  /**
   * Records that the agent is about to start.
   * @returns false where the claim did not hold any more, or the run was cancelled; `again` where this was recorded before
   */
  start(start: TurnStart, at: string): Promise<"first" | "again" | false>;
  /** Records what the harness has told; what it has not told stays. */
  keepReport(claim: Ticket, report: TurnReport, at: string): Promise<void>;
  /** Records that the agent has nothing to do until somebody says more. */
  keepRest(claim: Ticket, at: string): Promise<void>;
  /**
   * Ends the turn. The run waits again when a message has come for the next one.
   * @returns the state in which the turn has left the run; nothing when the claim did not hold any more
   */
  finish(claim: Ticket, ending: Ending, at: string): Promise<RunState | undefined>;
  /**
   * Runs that somebody has, or had until he was lost: those whose lease was over by an instant; those of a worker; or, without
   * either, all that servers execute themselves.
   */
  listLeased(which?: { expiredBefore?: string; worker?: string | undefined }): Promise<string[]>;
  /**
   * Runs whose worker was lost: those that had not started wait again, the others end in ERROR.
   * @param expiredBefore leaves alone what somebody has a lease of that was not over by then
   * @returns the workers that get no runs for a while
   */
  recoverLost(
    ids: readonly string[],
    message: string,
    at: string,
    expiredBefore?: string,
  ): Promise<FallenClaim[]>;
  /** How many runs these have. */
  countLeased(workers: readonly string[]): Promise<number>;
  /** When the agent of a turn was started; nothing for one that was not, or that somebody else has. */
  findTurnStart(turn: Ticket): Promise<string | undefined>;
  listAttachments(runId: string): Promise<Attachment[]>;
  findAttachment(runId: string, name: string): Promise<(Attachment & { content: Uint8Array }) | undefined>;
  /** Those of the runs that ended before an instant, or BEFORE_EVERY_END, or are there no more. */
  listDisposable(runIds: readonly string[], endedBefore: string): Promise<string[]>;
  /** Forgets the oldest runs that ended before an instant, with all that is theirs. @returns how many */
  forgetRuns(endedBefore: string, limit: number): Promise<number>;
  /** Forgets one run that has ended. @returns its state before, and whether it is gone; nothing when there was none */
  forgetRun(id: string, at: string): Promise<{ state: RunState; isGone: boolean } | undefined>;
  /**
   * Counts the next runs in a state by their ids, so many in one read: others read between two.
   * @param after the last run that was counted before
   * @returns how many they are, and the last of them; fewer than `limit` when there are no more
   */
  findCount(state: RunState, after: string, limit: number): Promise<{ runs: number; last: string | null }>;
  /** Ids of the runs that deliveries have started, by delivery. */
  listIdsByDelivery(deliveryIds: readonly string[]): Promise<Record<string, string[]>>;
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
   * did not start, its name, and why.
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

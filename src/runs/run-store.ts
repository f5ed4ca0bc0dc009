import type { ListingBacklog } from "../changes/log.ts";
import type { RunCaps } from "./caps.ts";
import type { AnswerStore, IdempotencyKey, IdempotencyOutcome } from "./idempotency.ts";
import type { OutputEndStore } from "./output/transcript.ts";
import type { UsageStore } from "./output/usage.ts";
import type { AgentReportStore } from "./rules/agent-report.ts";
import type { RunArtifactStore } from "./rules/artifact.ts";
import type { BudgetStore } from "./rules/budget.ts";
import type { ConversationStore } from "./rules/conversation.ts";
import type { Dismissal, FamilyStore } from "./rules/family.ts";
import type { FollowUpStore } from "./rules/follow-up.ts";
import type { ClaimReach } from "./rules/placement.ts";
import type { PlanStore } from "./rules/plan.ts";
import type { WorkerRunStore } from "./rules/remote-worker.ts";
import type { AudienceStore } from "./rules/run-audience.ts";
import type { RunKeyStore } from "./rules/run-key.ts";
import type { RunState } from "./rules/state.ts";
import type { WaitStore } from "./rules/wait.ts";
import type { QueuePlaceStore } from "./rules/waiting.ts";
import type { Attachment, Claim, Ending, FallenClaim, NewRun, Run, RunEvent, TurnReport } from "./run.ts";
import type { RunPage, RunQuery } from "./run-query.ts";
import type { Lease, Ticket } from "./ticket.ts";
import type { ReachStore } from "./turn/reaches.ts";
import type { TurnStart } from "./turn/turn-start.ts";

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

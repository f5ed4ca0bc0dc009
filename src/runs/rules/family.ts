import type { Principal } from "../../principals/principal.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { NewRun, Run, RunStatusMessage } from "../run.ts";
import type { FamilyLimit } from "./budget.ts";
import type { RunState } from "./state.ts";

/** How many runs a family has at most when agents start them: its root and all that descend from it. */
export const MAX_FAMILY = 50;
/** How many runs of one agent may be on a line from the root of a family down. An agent that starts itself ends there. */
export const MAX_OF_AGENT_IN_LINE = 2;

/**
 * Whether an agent of a run has a say over another run: that run descends from it, and both belong to one factory, as the
 * runs that API keys start need not. A run that an event has started does not count: its grant can be wider than that of
 * the agents above it, and they would act through it.
 */
export function isDescendant(
  run: Pick<Run, "ancestors" | "factoryUid" | "execution">,
  { id, factoryUid }: Pick<Run, "id" | "factoryUid">,
): boolean {
  const place = run.ancestors.indexOf(id);
  return place >= 0 && place >= (run.execution.foreignAncestors ?? 0) && run.factoryUid === factoryUid;
}

/** Why an agent may not start a run, and no other reasons. */
export const START_REFUSALS = {
  not_granted: "the run may not start this agent",
  unknown_agent: "the agent is not part of the factory's definition",
  depth: "no more generations may descend from the run",
  children: "the run has started as many runs as it may",
  family: "the family has as many runs as a family may have",
  budget: "the money of the family is used up",
  cycle: "the agent is already on the line from the root to the run as often as it may be",
} as const;
export type StartRefusal = keyof typeof START_REFUSALS;

/** A start that is checked and made in one transaction. */
export interface ChildStart {
  /** The run whose agent starts it. */
  parentId: string;
  /** The turn that its agent works in. */
  parentTurn: number;
  /** The name of the agent that is started. */
  agent: string;
  /** How many runs the parent may start. */
  children: number;
  /** What the family may cost. */
  familyUsd?: FamilyLimit | undefined;
  /** Repeated with the same key, it starts nothing again, for as long as the parent is stored. */
  once: IdempotencyKey | null;
  answer: string;
}

/** What was answered when the agent of a run started another one; or the run that it started with another request. */
export type StartAnswer = { answer: string; isNew: boolean } | { differsFrom: string };

/** `ended`: the parent's turn is over, or its end was asked for. */
export type StartOutcome = StartAnswer | { refused: StartRefusal | "ended" };

/** What the end of a family takes. */
export interface TreeEnd {
  /** The run that is ended with all of its descendants. */
  rootId: string;
  /** Who ends it, which runs that wait for an answer tell. */
  by: Dismissal;
  /** The factories whose runs are ended; null ends all. */
  within: readonly string[] | null;
  /** The run whose agent ends it: only what descends from that run, as {@link isDescendant} says, is ended. */
  agentOf: Pick<Run, "id" | "factoryUid"> | null;
}

/** How many runs of a family are shown; one that keys have started can have more. */
export const MAX_TREE = 500;

/** A run as its family shows it. */
export type FamilyMember = Pick<
  Run,
  | "id"
  | "factoryUid"
  | "agentUid"
  | "executor"
  | "execution"
  | "ancestors"
  | "title"
  | "state"
  | "isLeased"
  | "createdAt"
  | "startedAt"
  | "finishedAt"
  | "waitingFor"
>;

/** A run that was ended with its family, and the state that it was in. */
export interface EndedMember {
  run: Pick<Run, "id" | "factoryUid" | "automationUid" | "isLeased">;
  state: RunState;
}

/** Keeps families: a run that was started by no other one, and all of its descendants. */
export interface FamilyStore {
  /** What was answered when the agent of a run started one under this key. */
  findStart(parentId: string, once: IdempotencyKey): Promise<StartAnswer | undefined>;
  /** Creates a run that the agent of another one starts, if the bounds of its family allow it. */
  startChild(run: NewRun, start: ChildStart, at: string): Promise<StartOutcome>;
  /** Tells the timeline of a run that its agent was refused a start. */
  refuseStart(parentId: string, refusal: { reason: StartRefusal; agent: string }, at: string): Promise<void>;
  /** The runs of a family, oldest first; at most {@link MAX_TREE}. */
  listFamily(rootId: string): Promise<FamilyMember[]>;
  /**
   * Ends a run and its descendants, as far as they have not ended: some of those after a run, in the order of their ids.
   * @returns those that it has ended, or whose end it has asked for, and the last that it has looked at, unless it was the
   * last of all
   */
  cancelTree(
    end: TreeEnd,
    after: string | undefined,
    at: string,
  ): Promise<{ ended: EndedMember[]; last?: string }>;
}

/** Who ended a blocked run without an answer to its question, and why. */
export interface Dismissal {
  by: Principal;
  reason?: string;
}

/** What a run that was dismissed says of its end. */
export function dismissedMessage({ by, reason }: Dismissal): RunStatusMessage {
  return { message: `Dismissed by ${by.displayName}${reason ? `: ${reason}` : "."}` };
}

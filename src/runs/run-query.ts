import type { RunState } from "./rules/state.ts";
import type { Run } from "./run.ts";
import type { RunSource } from "./run-source.ts";

/** What a list can be sorted by. An agent is named by its skill; runs without one come last in either direction. */
export const RUN_SORTS = ["updated_at", "created_at", "title", "agent"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** What runs have to be like to be listed: every key that is there has to fit, a list by one of its entries. */
export interface RunFilter {
  states?: readonly RunState[];
  /** Sources of the public API that no run of this server has are possible, and match nothing. */
  sources?: readonly (RunSource | (string & {}))[];
  name?: string;
  modelId?: string;
  creator?: string;
  executor?: string;
  /** Null lists the runs without an environment. */
  environmentId?: string | null;
  scheduleId?: string;
  automationId?: string;
  factoryUids?: readonly string[];
  inFactory?: boolean;
  /** The specification of a skill, or its name. */
  skill?: string;
  metadata?: Readonly<Record<string, string>>;
  ancestorId?: string;
  /** The run that they repeat. */
  rerunOf?: string;
  artifactType?: string;
  /** Inclusive, in milliseconds. */
  createdAfter?: number;
  /** Exclusive, in milliseconds. */
  createdBefore?: number;
  /** Inclusive, in milliseconds. */
  updatedAfter?: number;
  /** Words that have to be in the title, the beginning of the prompt or the skill. */
  text?: string;
  id?: string;
  /** With what their ids begin; when no run fits, the list goes by the text. */
  idStart?: string;
  /** The uids of factories: only runs of these. */
  visibleTo?: readonly string[];
}

/** Where a page ends: what its last run is sorted by, null without a skill, and its number. */
export type RunPosition = readonly [key: string | number | null, number: number];

export interface RunQuery {
  limit: number;
  sort: RunSort;
  descending: boolean;
  after?: RunPosition;
  filter: RunFilter;
}

export interface RunPage {
  runs: Run[];
  /** Where the next page begins; nothing at the end of the list. */
  next?: RunPosition;
  /** When the oldest change to a run happened that the list does not show yet; nothing when it shows all. */
  behindSince?: string;
}

/** What can start runs, or execute them: an automation, a webhook of a factory, an agent. */
export type RunGroup =
  | { by: "automation" | "agent"; uids: readonly string[] }
  | { by: "webhook"; webhooks: readonly { factoryUid: string; uid: string }[] };

/** The run of a group that was created last. */
export interface LastRun {
  id: string;
  factoryUid: string | null;
  title: string;
  state: RunState;
  createdAt: string;
  finishedAt: string | null;
  deliveryId: string | null;
  webhookUid: string | null;
  /** The last one that its agent has reported. */
  pullRequestUrl: string | null;
}

/** How runs of one group went. */
export interface RunSummary {
  uid: string;
  last: LastRun | null;
  /** How the last 50 that have ended did: runs in ERROR have failed. */
  succeeded: number;
  failed: number;
  cancelled: number;
}

/** How many runs of an automation were created in one hour, and how many of these have failed since. */
export interface HourlyRuns {
  automationUid: string;
  /** Its beginning, in milliseconds. */
  hour: number;
  runs: number;
  failed: number;
}

/** Reads how runs went, at a cost that does not grow with their number. */
export interface RunSummaryStore {
  /** Of groups that have had runs, in no order. */
  listSummaries(group: RunGroup): Promise<RunSummary[]>;
  /** Of runs that were created since an instant, in milliseconds. */
  listHourlyRuns(since: number): Promise<HourlyRuns[]>;
  /** How many runs each agent has executed, counted up to a number. */
  listRunCounts(agentUids: readonly string[], most: number): Promise<Record<string, number>>;
}

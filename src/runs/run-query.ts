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

/** How far the list of runs is behind the runs: it is updated after what changes them was committed. */
export interface ListingBacklog {
  /** At least as many changes as are not listed yet. */
  changes: number;
  /** When the oldest of them happened. */
  since: string | null;
}

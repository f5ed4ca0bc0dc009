import type { RunState } from "./rules/state.ts";

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

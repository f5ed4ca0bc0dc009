import { type Bucket, deliveriesAt, runsAt } from "./ranges.ts";

/** A part of a bar. */
export interface Series {
  /** Its class. */
  kind: "accepted" | "duplicates" | "rejected" | "dropped" | "succeeded" | "failed" | "cancelled" | "open";
  name: string;
  of: (bucket: Bucket) => number;
  /** What its list is filtered by. One without a list has none. */
  filter?: Record<string, string>;
}

/** One of the two charts. */
export interface ChartKind {
  title: string;
  one: string;
  many: string;
  /** From the bottom up. */
  series: readonly Series[];
  hrefOf: typeof deliveriesAt;
}

const REJECTED = "Rejected (auth),Rejected (invalid JSON),Rejected (too large)";

export const DELIVERIES: ChartKind = {
  title: "Deliveries",
  one: "delivery",
  many: "deliveries",
  series: [
    { kind: "accepted", name: "accepted", of: ({ accepted }) => accepted, filter: { outcome: "Accepted" } },
    {
      kind: "duplicates",
      name: "duplicate",
      of: ({ duplicates }) => duplicates,
      filter: { outcome: "Duplicate" },
    },
    { kind: "rejected", name: "rejected", of: ({ rejected }) => rejected, filter: { outcome: REJECTED } },
    // Without a record each, they are in no list.
    {
      kind: "dropped",
      name: "refused without a record",
      of: ({ over_budget, blocked }) => over_budget + blocked,
    },
  ],
  hrefOf: deliveriesAt,
};

export const RUNS: ChartKind = {
  title: "Runs",
  one: "run",
  many: "runs",
  series: [
    {
      kind: "succeeded",
      name: "succeeded",
      of: ({ runs_succeeded }) => runs_succeeded,
      filter: { state: "SUCCEEDED" },
    },
    {
      kind: "open",
      name: "not ended",
      of: ({ runs, runs_succeeded, runs_failed, runs_cancelled }) =>
        Math.max(0, runs - runs_succeeded - runs_failed - runs_cancelled),
      filter: { state: "QUEUED,CLAIMED,INPROGRESS,BLOCKED" },
    },
    {
      kind: "cancelled",
      name: "cancelled",
      of: ({ runs_cancelled }) => runs_cancelled,
      filter: { state: "CANCELLED" },
    },
    {
      kind: "failed",
      name: "failed",
      of: ({ runs_failed }) => runs_failed,
      filter: { state: "FAILED,ERROR" },
    },
  ],
  hrefOf: runsAt,
};

/** All that a bar stands for. */
export function totalOf({ series }: ChartKind, bucket: Bucket): number {
  return series.reduce((sum, { of }) => sum + of(bucket), 0);
}

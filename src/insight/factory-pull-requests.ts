import type { FactoryMetricsStore, Spend, TreeSpend } from "./factory-metrics-store.ts";
import { groupBy } from "./periods.ts";
import type { PullRequestStore, ReportedPullRequest } from "./pull-request.ts";
import { type PullRequestRecord, PullRequestRecords } from "./pull-request-record.ts";

/** A pull request with the messages that people have sent to the runs that reported it. */
export interface FactoryPullRequest extends PullRequestRecord {
  messages: number;
}

type ReadStore = Pick<PullRequestStore, "listEvents" | "listReported" | "listMessageCounts">;

/** One answer of the store must not take long: others wait for it. */
const MAX_EVENTS = 2_000;
const MAX_RUNS = 500;
const MAX_ASKED_RUNS = 100;

/** Every pull request that runs of a factory have reported, or that deliveries of its forge name. */
export async function listPullRequests(factoryUid: string, store: ReadStore): Promise<FactoryPullRequest[]> {
  const records = new PullRequestRecords();
  for await (const event of eventsOf(factoryUid, store)) records.addEvent(event);
  const runIds = new Set<string>();
  for await (const report of reportsOf(factoryUid, store)) {
    records.addReport(report);
    runIds.add(report.run.id);
  }
  const messages = await countMessages([...runIds], store);
  return records.list().map((record) => {
    const ofRuns = record.runs.reduce((sum, { id }) => sum + (messages.get(id) ?? 0), 0);
    return { ...record, messages: ofRuns };
  });
}

async function* eventsOf(factoryUid: string, store: Pick<ReadStore, "listEvents">) {
  for (let after: string | null = null; ; ) {
    const page = await store.listEvents(factoryUid, { after, limit: MAX_EVENTS });
    for (const { event } of page) yield event;
    if (page.length < MAX_EVENTS) return;
    after = page.at(-1)?.id ?? null;
  }
}

async function* reportsOf(
  factoryUid: string,
  store: Pick<ReadStore, "listReported">,
): AsyncGenerator<ReportedPullRequest> {
  for (let after: number | null = -1; after !== null; ) {
    const { reports, next } = await store.listReported(factoryUid, { after, limit: MAX_RUNS });
    yield* reports;
    after = next;
  }
}

async function countMessages(
  runIds: readonly string[],
  store: Pick<ReadStore, "listMessageCounts">,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let begin = 0; begin < runIds.length; begin += MAX_ASKED_RUNS) {
    const found = await store.listMessageCounts(runIds.slice(begin, begin + MAX_ASKED_RUNS));
    for (const [id, count] of Object.entries(found)) counts.set(id, count);
  }
  return counts;
}

export const isReported = ({ runs }: Pick<PullRequestRecord, "runs">) => runs.length > 0;

/** What people have done with a pull request, and said to its runs. */
export function humanInteractions({ interactions, messages }: FactoryPullRequest) {
  const counts = { ...interactions, follow_up_message: messages };
  return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** Whether a person has written any of the code: who opens a pull request has pushed its branch. */
export function hasHumanCode({ interactions }: Pick<PullRequestRecord, "interactions">): boolean {
  return interactions.opened + interactions.code_push > 0;
}

/** The lines that were added and removed; nothing where that is not known. */
export function linesOf({ snapshot }: Pick<PullRequestRecord, "snapshot">) {
  const { additions = null, deletions = null } = snapshot ?? {};
  return additions === null || deletions === null ? undefined : { additions, deletions };
}

/** What a pull request has cost. */
export interface PullRequestCost extends Spend {
  /** What each model has cost of it. */
  models: ReadonlyMap<string, number>;
}

/** One answer of the store must not take long: others wait for it. */
const MAX_ASKED_FAMILIES = 100;

/**
 * What pull requests have cost: a run that reports one stands for its whole family, and a family that has made several divides its
 * cost evenly among them.
 * @param records every pull request of the factory, by which families are divided
 * @param wanted those whose cost is asked for
 */
export async function costsOf<Record extends PullRequestRecord>(
  {
    factoryUid,
    records,
    wanted,
  }: { factoryUid: string; records: readonly Record[]; wanted: readonly Record[] },
  store: Pick<FactoryMetricsStore, "listTreeSpend">,
): Promise<Map<Record, PullRequestCost>> {
  const divisors = new Map<string, number>();
  for (const rootId of records.flatMap(rootsOf)) divisors.set(rootId, (divisors.get(rootId) ?? 0) + 1);
  const spend = await treeSpend(factoryUid, [...new Set(wanted.flatMap(rootsOf))], store);
  return new Map(
    wanted.map((record) => {
      const cost = { costUsd: 0, unpricedTokens: 0, models: new Map<string, number>() };
      for (const rootId of rootsOf(record))
        for (const each of spend.get(rootId) ?? []) addShare(cost, each, divisors.get(rootId) ?? 1);
      return [record, { ...cost, unpricedTokens: Math.round(cost.unpricedTokens) }];
    }),
  );
}

/** What families have cost, by the runs that they began with. */
async function treeSpend(
  factoryUid: string,
  rootIds: readonly string[],
  store: Pick<FactoryMetricsStore, "listTreeSpend">,
): Promise<Map<string, TreeSpend[]>> {
  const found: TreeSpend[] = [];
  for (let begin = 0; begin < rootIds.length; begin += MAX_ASKED_FAMILIES)
    found.push(...(await store.listTreeSpend(factoryUid, rootIds.slice(begin, begin + MAX_ASKED_FAMILIES))));
  return groupBy(found, ({ rootId }) => rootId);
}

function rootsOf({ runs }: PullRequestRecord): string[] {
  return [...new Set(runs.map(({ rootId }) => rootId))];
}

function addShare(
  cost: { costUsd: number; unpricedTokens: number; models: Map<string, number> },
  { model, costUsd, unpricedTokens }: TreeSpend,
  among: number,
): void {
  cost.costUsd += costUsd / among;
  cost.unpricedTokens += unpricedTokens / among;
  cost.models.set(model, (cost.models.get(model) ?? 0) + costUsd / among);
}

export const SIZES = ["S", "M", "L", "XL"] as const;
export type PullRequestSize = (typeof SIZES)[number];

/** By the lines that were added and removed; nothing where these are not known. */
export function sizeOf(record: PullRequestRecord): PullRequestSize | null {
  const changed = linesOf(record);
  if (!changed) return null;
  const lines = changed.additions + changed.deletions;
  if (lines < 100) return "S";
  if (lines < 500) return "M";
  return lines < 1_000 ? "L" : "XL";
}

export const STAGES = [
  "kickoff_to_pr",
  "pr_to_first_review",
  "first_review_to_merge",
  "kickoff_to_merge",
] as const;
export type CycleStage = (typeof STAGES)[number];

/** How long each stage of a pull request took, in seconds; null where one of its ends is not known. */
export type CycleTime = Record<CycleStage, number | null>;

export function kickoffOf({ runs }: Pick<PullRequestRecord, "runs">): string | null {
  return runs[0]?.createdAt ?? null;
}

export function cycleTimeOf(
  record: Pick<PullRequestRecord, "runs" | "snapshot" | "firstHumanReviewAt">,
): CycleTime {
  const kickoff = kickoffOf(record);
  const { openedAt = null, mergedAt = null } = record.snapshot ?? {};
  const review = record.firstHumanReviewAt;
  return {
    kickoff_to_pr: secondsBetween(kickoff, openedAt),
    pr_to_first_review: secondsBetween(openedAt, review),
    first_review_to_merge: secondsBetween(review, mergedAt),
    kickoff_to_merge: secondsBetween(kickoff, mergedAt),
  };
}

/** @returns nothing also where the end came first: a run can report a pull request that was there before it */
function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null || to < from) return null;
  return (Date.parse(to) - Date.parse(from)) / 1_000;
}

/** The middle one of some values, or what lies between the two middle ones. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

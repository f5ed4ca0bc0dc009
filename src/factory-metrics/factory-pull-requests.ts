import type { PullRequestStore, ReportedPullRequest } from "../pull-requests/pull-request.ts";
import { type PullRequestRecord, PullRequestRecords } from "../pull-requests/pull-request-record.ts";

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

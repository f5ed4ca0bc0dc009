import type { PullRequestStore } from "../pull-requests/pull-request.ts";
import { type PullRequestRecord, PullRequestRecords } from "../pull-requests/pull-request-record.ts";

/** A pull request with the messages that people have sent to the runs that reported it. */
export interface FactoryPullRequest extends PullRequestRecord {
  messages: number;
}

/** One answer of the store must not take long: others wait for it. */
const READ_TOGETHER = 2_000;

/** Every pull request that runs of a factory have reported, or of which deliveries have told it. */
export async function listPullRequests(
  factoryUid: string,
  store: Pick<PullRequestStore, "listEvents" | "listReported" | "listMessageCounts">,
): Promise<FactoryPullRequest[]> {
  const records = new PullRequestRecords();
  const page = { after: null as string | null, limit: READ_TOGETHER };
  for (;;) {
    const events = await store.listEvents(factoryUid, page);
    for (const { event } of events) records.addEvent(event);
    if (events.length < READ_TOGETHER) break;
    page.after = events.at(-1)?.id ?? null;
  }
  const reported = await store.listReported(factoryUid);
  for (const report of reported) records.addReport(report);
  const counts = await store.listMessageCounts([...new Set(reported.map(({ run }) => run.id))]);
  return records.list().map((record) => {
    const messages = record.runs.reduce((sum, { id }) => sum + (counts[id] ?? 0), 0);
    return { ...record, messages };
  });
}

/** What people have done with a pull request, and said to its runs. */
export function humanInteractions({ interactions, messages }: FactoryPullRequest) {
  const counts = { ...interactions, follow_up_message: messages };
  return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** Whether a person has written any of the code: who opens a pull request has pushed its branch. */
export function hasHumanCode({ interactions }: Pick<PullRequestRecord, "interactions">): boolean {
  return interactions.opened + interactions.code_push > 0;
}

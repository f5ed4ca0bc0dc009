import { describe, expect, test } from "vitest";
import type { PullRequestEvent, PullRequestSnapshot } from "../../src/insight/pull-request.ts";
import { PullRequestRecords } from "../../src/insight/pull-request-record.ts";

const URL_OF_ONE = "https://github.com/acme/shop/pull/1";
const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

function event(
  minute: number,
  snapshot: Partial<PullRequestSnapshot> = {},
  changes: Partial<PullRequestEvent> = {},
): PullRequestEvent {
  return {
    ...{
      url: URL_OF_ONE,
      provider: "github",
      repository: "acme/shop",
      number: 1,
      act: null,
      withdrawal: null,
    },
    snapshot: {
      ...{ title: null, author: null, state: "open", openedAt: at(0), mergedAt: null, closedAt: null },
      ...{ additions: null, deletions: null, changedFiles: null, commits: null },
      updatedAt: at(minute),
      ...snapshot,
    },
    ...changes,
  };
}

const act = (
  interaction: NonNullable<PullRequestEvent["act"]>["interaction"],
  key: string,
  isPerson = true,
) => ({
  act: { interaction, key, at: at(5), isPerson },
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** What is known when these events have come, in every order. */
function recordOf(...events: PullRequestEvent[]) {
  const inOrders = [...permutations(events), [...events, ...events]].map((order) => {
    const records = new PullRequestRecords();
    for (const each of order) records.addEvent(each);
    return records.list();
  });
  for (const each of inOrders) expect(each).toEqual(inOrders[0]);
  expect(inOrders[0]).toHaveLength(1);
  return inOrders[0]?.[0];
}

describe("of a pull request, whatever order its events come in, and however often,", () => {
  test("what was told last counts, and what was not told then stays", () => {
    const record = recordOf(
      event(1, { title: "First", additions: 10, deletions: 1 }),
      event(3, { title: "Last", state: "merged", mergedAt: at(3), closedAt: at(3) }),
      event(2, { title: "Second", state: "closed", closedAt: at(2) }),
    );
    expect(record).toMatchObject({
      title: "Last",
      snapshot: { state: "merged", mergedAt: at(3), closedAt: at(3), additions: 10, deletions: 1 },
    });
  });

  test("one that is open again is not closed", () => {
    const record = recordOf(event(1, { state: "closed", closedAt: at(1) }), event(2, { state: "open" }));
    expect(record?.snapshot).toMatchObject({ state: "open", closedAt: null, mergedAt: null });
  });

  test("what is merged stays so, whatever else is said of the same second or later", () => {
    const merged = event(3, { state: "merged", mergedAt: at(3), closedAt: at(3) });
    for (const other of [event(3, { state: "open" }), event(4, { state: "closed", closedAt: at(3) })])
      expect(recordOf(merged, other)?.snapshot).toMatchObject({ state: "merged", mergedAt: at(3) });
    expect(recordOf(event(3, { state: "closed" }), event(3, { state: "open" }))?.snapshot?.state).toBe(
      "closed",
    );
  });

  test("each field is what was said of it last", () => {
    const record = recordOf(event(1, { additions: 10 }), event(2, { additions: 500 }), event(3));
    expect(record?.snapshot).toMatchObject({ additions: 500, updatedAt: at(3) });
  });

  test("who approves again after withdrawing it has approved", () => {
    const approval = (minute: number) =>
      event(
        minute,
        {},
        { act: { interaction: "review_approved", key: "ann", at: at(minute), isPerson: true } },
      );
    const withdrawal = event(2, {}, { withdrawal: { key: "ann", at: at(2) } });
    expect(recordOf(approval(1), withdrawal)?.interactions.review_approved).toBe(0);
    expect(recordOf(approval(1), withdrawal, approval(3))).toMatchObject({
      firstHumanReviewAt: at(3),
      interactions: { review_approved: 1 },
    });
  });

  test("each act of a person counts once, and none of a bot", () => {
    const record = recordOf(
      event(1, {}, act("code_push", "push abc")),
      event(2, {}, act("code_push", "push def")),
      event(3, {}, act("code_push", "push ghi", false)),
    );
    expect(record?.interactions).toMatchObject({ code_push: 2, opened: 0 });
  });

  test("a review that was dismissed does not count, also not as the first one", () => {
    const review = event(1, {}, act("review_approved", "review 1"));
    expect(recordOf(review)).toMatchObject({
      firstHumanReviewAt: at(5),
      interactions: { review_approved: 1 },
    });
    const withdrawal = { key: "review 1", at: at(6) };
    const dismissed = recordOf(review, event(6, {}, { withdrawal }));
    expect(dismissed).toMatchObject({ firstHumanReviewAt: null, interactions: { review_approved: 0 } });
  });

  test("the history is complete once it was told that it was opened, by whomever", () => {
    expect(recordOf(event(1))?.isHistoryComplete).toBe(false);
    expect(recordOf(event(1, {}, act("opened", "opened", false)))).toMatchObject({
      isHistoryComplete: true,
      interactions: { opened: 0 },
    });
  });
});

test("what runs report and what a forge tells is one pull request, however its address is written", () => {
  const records = new PullRequestRecords();
  const run = (id: string, createdAt: string) => ({
    ...{ id, rootId: id, createdAt, source: "API", modelId: null },
    creator: { uid: "ann", type: "user" as const, displayName: "Ann" },
  });
  const report = (id: string, url: string, reportedAt: string) =>
    records.addReport({ url, title: "Reported", reportedAt, run: run(id, reportedAt) });
  report("b", `${URL_OF_ONE}/files`, at(9));
  records.addEvent(event(1));
  report("a", "http://GITHUB.com/Acme/Shop/pull/1", at(2));
  report("a", URL_OF_ONE, at(3));
  report("c", "not an address", at(1));
  const [record, ...others] = records.list();
  expect(others).toEqual([]);
  expect(record).toMatchObject({ url: URL_OF_ONE, title: "Reported", firstSeenAt: at(2), number: 1 });
  expect(record?.runs.map(({ id }) => id)).toEqual(["a", "b"]);
});

import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { PullRequestEvent, ReportPage } from "../../../src/insight/pull-request.ts";
import { readPullRequestEvent } from "../../../src/insight/read-pull-request-event.ts";
import { aStoreOf, usedRun } from "../../given/factory.ts";
import { githubExample } from "../../given/github.ts";
import { AT, aDelivery } from "../../given/store.ts";

const told = () => {
  const { payload } = githubExample("pull_request", "opened");
  const delivery = { provider: "github", event: "pull_request", payload } as const;
  return readPullRequestEvent(delivery, new Date()) as PullRequestEvent;
};
const MOST = { count: 100, bytes: 1_000_000 };
const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();

test("what deliveries tell of pull requests is listed by factory, in their order, a page at a time", async () => {
  const { deliveries, pullRequests } = await aStoreOf("f", "g");
  const of = (factoryUid: string) => aDelivery({ factoryUid, pullRequestEvent: told() });
  const recorded = [of("f"), of("g"), of("f"), aDelivery({ factoryUid: "f" }), of("f")];
  for (const delivery of recorded) await deliveries.record(delivery);
  const ids = async (page: { after: string | null; limit: number }) =>
    (await pullRequests.listEvents("f", page)).map(({ id }) => id);
  const [first = "", second = "", third = ""] = await ids({ after: null, limit: 10 });
  expect([first, second, third]).toEqual([recorded[0]?.id, recorded[2]?.id, recorded[4]?.id]);
  expect(await ids({ after: first, limit: 1 })).toEqual([second]);
  expect(await ids({ after: third, limit: 1 })).toEqual([]);
  expect((await pullRequests.listEvents("g", { after: null, limit: 1 }))[0]?.event).toEqual(told());
});

test("a duplicate of a delivery tells nothing again", async () => {
  const { deliveries, pullRequests } = await aStoreOf("f");
  const delivery = aDelivery({ factoryUid: "f", pullRequestEvent: told() });
  await deliveries.record(delivery);
  expect(await deliveries.record({ ...delivery, id: newUuid() })).toMatchObject({ outcome: "Duplicate" });
  expect(await pullRequests.listEvents("f", { after: null, limit: 10 })).toHaveLength(1);
});

test("what a delivery has told is forgotten with its payload, and with the log of its webhook", async () => {
  const { deliveries, pullRequests } = await aStoreOf("f");
  const of = (webhookUid: string) => aDelivery({ factoryUid: "f", webhookUid, pullRequestEvent: told() });
  const [one, other] = [of("a"), of("b")];
  for (const delivery of [one, other]) await deliveries.record(delivery);
  const events = async () =>
    (await pullRequests.listEvents("f", { after: null, limit: 10 })).map(({ id }) => id);
  await deliveries.forgetPayload(one.id);
  expect(await events()).toEqual([other.id]);
  // It outlives the delivery in the log.
  await deliveries.forgetDeliveries({ factoryUid: "f", uid: "b" }, other.id, 10, AT);
  expect(await events()).toEqual([other.id]);
  expect(await pullRequests.forgetEventsOf({ factoryUid: "g", uid: "b" }, other.id, 10)).toBe(0);
  expect(await pullRequests.forgetEventsOf({ factoryUid: "f", uid: "b" }, one.id, 10)).toBe(0);
  expect(await pullRequests.forgetEventsOf({ factoryUid: "f", uid: "b" }, other.id, 10)).toBe(1);
  expect(await events()).toEqual([]);
});

test("what was told long ago is forgotten, and everything of a factory that is deleted", async () => {
  const { deliveries, pullRequests, factoryDeletions } = await aStoreOf("f", "g");
  const events = async (factoryUid: string) =>
    (await pullRequests.listEvents(factoryUid, { after: null, limit: 10 })).length;
  for (const day of [1, 2, 3])
    await deliveries.record(aDelivery({ factoryUid: "f", time: at(day), pullRequestEvent: told() }));
  await deliveries.record(aDelivery({ factoryUid: "g", time: at(3), pullRequestEvent: told() }));
  expect(await pullRequests.forgetEvents(at(3), 1)).toBe(1);
  expect(await pullRequests.forgetEvents(at(3), 10)).toBe(1);
  expect([await events("f"), await events("g")]).toEqual([1, 1]);
  await factoryDeletions.remove("f", AT);
  expect([await events("f"), await events("g")]).toEqual([0, 1]);
});

test("runs are known by the pull requests that they reported, with the messages of people", async () => {
  const store = await aStoreOf("f", "g");
  const { runs, pullRequests } = store;
  const report = (run: string, type: "PULL_REQUEST" | "PLAN", url: string, createdAt = AT) =>
    runs.addArtifact(run, { id: newUuid(), turn: 1, type, data: { artifact_uid: "", url }, createdAt }, MOST);
  const turn = { at: AT, endedAt: at(1) };
  const root = await usedRun(store, { factoryUid: "f" }, turn, { at: at(2), endedAt: at(3) });
  await report(root, "PULL_REQUEST", "https://github.com/a/b/pull/1");
  await runs.updateListing(100);
  // One that is reported after its run is listed is found as well.
  const child = await usedRun(store, { factoryUid: "f", ancestors: [root] }, turn);
  await runs.updateListing(100);
  await report(child, "PULL_REQUEST", "https://github.com/a/b/pull/2", at(4));
  await report(child, "PLAN", "https://github.com/a/b/pull/3");
  const other = await usedRun(store, { factoryUid: "g" }, turn);
  await report(other, "PULL_REQUEST", "https://github.com/a/b/pull/4");
  await runs.updateListing(100);

  const { reports: found, next } = await pullRequests.listReported("f", { after: -1, limit: 10 });
  expect(next).toBeNull();
  const pages: string[][] = [];
  for (let after: number | null = -1; after !== null; ) {
    const page: ReportPage = await pullRequests.listReported("f", { after, limit: 1 });
    pages.push(page.reports.map(({ url }) => url.slice(-1)));
    after = page.next;
  }
  // The third is one of the other factory.
  expect(pages).toEqual([["1"], ["2"], [], []]);
  expect(found.map(({ url, run }) => [url, run.id, run.rootId])).toEqual([
    ["https://github.com/a/b/pull/1", root, root],
    ["https://github.com/a/b/pull/2", child, root],
  ]);
  expect(found[1]).toMatchObject({ reportedAt: at(4), title: null, run: { source: "API", modelId: null } });
  await runs.followUp(
    {
      ...{ id: newUuid(), runId: child, message: "From an agent." },
      creator: { uid: "x", type: "service_account", displayName: '"type":"user"' },
    },
    null,
    at(5),
  );
  const many = Array.from({ length: 98 }, (_, index) => `nobody ${index}`);
  expect(await pullRequests.listMessageCounts([...many, root, child])).toEqual({ [root]: 1 });
});

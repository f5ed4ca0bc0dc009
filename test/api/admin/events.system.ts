import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChangeRecord } from "../../../src/changes/log.ts";
import { Millrace } from "../../../src/client/client.ts";
import { aKey } from "../../given/ask.ts";
import { onFinished } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY, type Server, waitFor } from "../../given/server.ts";
import { serving, twoFactories } from "../../given/serving.ts";
import { AT, aRun, aStore } from "../../given/store.ts";

const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

/** Reads a server's events into a list until the test ends. */
function listen(server: Server, lastEventId?: string, apiKey = ADMIN_KEY) {
  const leaving = new AbortController();
  onFinished(() => leaving.abort());
  const events: { event: string; id: string | undefined; data: Record<string, unknown> }[] = [];
  const stream = new Millrace({ baseUrl: server.url, apiKey }).events({
    signal: leaving.signal,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  const reading = (async () => {
    for await (const event of stream) events.push(event as never);
  })().catch(() => {});
  return {
    events,
    leave: async () => {
      leaving.abort();
      await reading;
    },
  };
}

const statesOf = (events: ReturnType<typeof listen>["events"], runId: unknown) =>
  events.filter(({ data }) => data.run_id === runId).map(({ data }) => data.state);

describe("the stream of events", () => {
  test("reports deliveries, each state of their runs, and factories", async () => {
    const { server, story, source } = await serving(files, { CI_SECRET: "x" });
    const { events } = listen(server);
    const { url, uid } = await story.webhook("ci");
    // The stream begins when it is open.
    await waitFor(async () => {
      await story.deliver(url, "x", `{"n":${Math.random()}}`);
      return events.length > 0 || undefined;
    });
    const delivery = await story.accept(url, "x", '{"last":true}');
    const { run_id } = await story.endedRunOf(delivery);
    await waitFor(() => statesOf(events, run_id).includes("SUCCEEDED") || undefined);
    expect(statesOf(events, run_id)).toEqual(["QUEUED", "CLAIMED", "INPROGRESS", "SUCCEEDED"]);
    expect(events.find(({ data }) => data.delivery_id === delivery)).toMatchObject({
      event: "delivery",
      data: { webhook_uid: uid, outcome: "Accepted" },
    });
    writeFileSync(join(source, "webhooks/cd.yaml"), TOKEN_WEBHOOK);
    await waitFor(() => events.find(({ event, data }) => event === "factory" && data.status === "synced"));
  });

  test("continues after the last event that its reader has seen, without gaps or duplicates", async () => {
    const { server, story } = await serving(files, { CI_SECRET: "x" });
    const start = async () =>
      (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "p" })).run_id;
    const first = listen(server, "0");
    await story.ended(await start());
    await waitFor(() => first.events.some(({ data }) => data.state === "SUCCEEDED") || undefined);
    await first.leave();
    const seen = first.events.at(-1)?.id;
    await story.ended(await start());
    const second = listen(server, seen);
    await waitFor(() => second.events.some(({ data }) => data.state === "SUCCEEDED") || undefined);
    const whole = listen(server, "0");
    await waitFor(() => whole.events.length >= first.events.length + second.events.length || undefined);
    expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(whole.events.map(({ id }) => id));
  });

  test("asks a reader to reload everything when the events that it missed are no longer stored", async () => {
    const { server } = await serving(files, { CI_SECRET: "x" });
    const { events } = listen(server, "999999999");
    await waitFor(() => events[0]);
    expect(events[0]?.event).toBe("reset");
  });

  test("reports nothing to a key about what it does not reach", async () => {
    const { server, story } = await serving(files, { CI_SECRET: "x" });
    const key = await aKey(server, { role: "admin", factories: [] });
    const mine = listen(server, "0", key);
    const all = listen(server, "0");
    await story.accept((await story.webhook("ci")).url, "x", "{}");
    await waitFor(() => all.events.some(({ event }) => event === "delivery") || undefined);
    expect(mine.events).toEqual([]);
  });
});

test("the ids of a limited key count its own events alone, and it continues without gaps", async () => {
  const { server, acme, other } = await twoFactories();
  const key = await aKey(server, { role: "viewer", factories: [acme] });
  const pauseAndGoOn = async (factory: string) => {
    const { id } = await server.api<{ id: string }>("POST", "/pauses", { factory });
    await server.api("DELETE", `/pauses/${id}`);
  };
  const all = listen(server, "0");
  const mine = listen(server, "0", key);
  const pausesOf = (factory: string, { events }: typeof mine) =>
    events.filter(({ event, data }) => event === "pause" && data.factory_uid === factory).length;
  await pauseAndGoOn(acme);
  await waitFor(() => pausesOf(acme, mine) === 2 || undefined);
  const before = mine.events.map(({ id }) => id);
  for (let n = 0; n < 5; n += 1) await pauseAndGoOn(other);
  await waitFor(() => pausesOf(other, all) === 10 || undefined);
  await mine.leave();
  expect(mine.events.map(({ id }) => id)).toEqual(before);

  const later = listen(server, before.at(-1), key);
  await pauseAndGoOn(acme);
  await waitFor(() => pausesOf(acme, later) === 2 || undefined);
  expect(later.events).toHaveLength(2);
  const whole = listen(server, "0", key);
  await waitFor(() => pausesOf(acme, whole) === 4 || undefined);
  const ids = [...before, ...later.events.map(({ id }) => id)];
  expect(whole.events.map(({ id }) => id)).toEqual(ids);
  expect(ids.map((id) => Number.parseInt(id ?? "", 10))).toEqual(ids.map((_, index) => index + 1));
  expect(ids.every((id) => /^\d+\.\d+$/.test(id ?? ""))).toBe(true);
});

test("a limited key that names an event of nobody's is asked to reload", async () => {
  const { server, acme } = await twoFactories();
  const key = await aKey(server, { role: "viewer", factories: [acme] });
  for (const id of ["1", "2.17", `1.${"9".repeat(40)}`]) {
    const { events } = listen(server, id, key);
    await waitFor(() => events[0]);
    expect(events[0]?.event).toBe("reset");
  }
});

test("changes are stored in the order of the commits, and the oldest are discarded", async () => {
  const { changes, runs, connection } = await aStore();
  for (let n = 0; n < 10; n += 1) await runs.create(aRun(), AT);
  await runs.updateListing(100);
  connection.execute("UPDATE delivery_search_progress SET seq = 10");
  const seqs = async () => (await changes.listAfter(0, 100)).map(({ seq }: ChangeRecord) => seq);
  expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await changes.prune(4, 100)).toBe(6);
  expect([await seqs(), await changes.findRange()]).toEqual([[7, 8, 9, 10], { first: 7, last: 10 }]);
});

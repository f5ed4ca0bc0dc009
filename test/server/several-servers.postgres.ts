import { expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { waitFor } from "../given/server.ts";
import { severalServers } from "../given/several-servers.ts";

const SECRET = "ci-secret";

/** Writes a line, and waits for a message or for its end. */
const WAITS = `
  console.log("started");
  setInterval(() => {}, 1_000);`;

test("of two servers on one database each takes deliveries, and each run is executed once", async () => {
  const { servers, urlAt } = await severalServers(2);
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    for (const each of servers)
      ids.push(await each.story.accept(urlAt(each), SECRET, JSON.stringify({ n, at: each.server.url })));
  }
  const [a, b] = servers;
  for (const id of ids) {
    const run = await a?.story.endedRunOf(id);
    expect(run?.state).toBe("SUCCEEDED");
  }
  const runs = await b?.story.runs();
  expect(runs).toHaveLength(ids.length);
  for (const { run_id } of runs ?? []) {
    const started = (await b?.story.timeline(run_id))?.filter(
      ({ event_type }) => event_type === "agent_started",
    );
    expect(started).toHaveLength(1);
  }
});

test("a delivery that is sent to a second server again is a duplicate", async () => {
  const { servers, urlAt } = await severalServers(2);
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  const headers = { "x-delivery-id": "the-same" };
  const first = await a.story.deliver(urlAt(a), SECRET, "{}", headers);
  const second = await b.story.deliver(urlAt(b), SECRET, "{}", headers);
  const [taken, repeated] = [await first.json(), await second.json()] as { delivery_id: string }[];
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(repeated?.delivery_id).toBe(taken?.delivery_id);
});

test("a run that one server executes is cancelled through another one", async () => {
  const { servers } = await severalServers(2, { agent: WAITS });
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  const ids = [];
  for (let n = 0; n < 4; n += 1) {
    const { run_id } = await a.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Wait." });
    ids.push(run_id);
  }
  for (const id of ids) await waitFor(async () => (await b.story.run(id)).state === "INPROGRESS");
  for (const id of ids) await b.server.api("POST", `/agent/runs/${id}/cancel`);
  for (const id of ids) expect((await a.story.ended(id)).state).toBe("CANCELLED");
});

test("runs of a server that was killed are lost after their lease, and those of the other go on", async () => {
  const { servers } = await severalServers(2, {
    agent: WAITS,
    settings: { MILLRACE_WORKER_LEASE: "5s", MILLRACE_RUN_CONCURRENCY: "2" },
  });
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1)
    ids.push((await a.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Wait." })).run_id);
  for (const id of ids) await waitFor(async () => (await b.story.run(id)).state === "INPROGRESS");
  await a.server.kill();
  const states = await waitFor(async () => {
    const all = await Promise.all(ids.map(async (id) => (await b.story.run(id)).state));
    return all.filter((state) => state === "ERROR").length === 2 ? all : undefined;
  }, 30);
  expect(states.sort()).toEqual(["ERROR", "ERROR", "INPROGRESS", "INPROGRESS"]);
});

test("a server that starts again ends what it has left itself, and nothing of the other one", async () => {
  const { servers } = await severalServers(2, { agent: WAITS, settings: { MILLRACE_RUN_CONCURRENCY: "1" } });
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1)
    ids.push((await a.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Wait." })).run_id);
  for (const id of ids) await waitFor(async () => (await b.story.run(id)).state === "INPROGRESS");
  await a.server.stop();
  const next = await a.again();
  const states = await Promise.all(ids.map(async (id) => (await next.story.run(id)).state));
  expect(states.filter((state) => state === "INPROGRESS")).toHaveLength(1);
});

test("a secret that one server has created is shown again by the other one, and is created once", async () => {
  const { servers } = await severalServers(2);
  const create = async ({ server }: (typeof servers)[number]) =>
    (
      await ask(server, "POST", "/api-keys", {
        body: { name: "once" },
        headers: { "idempotency-key": "a-key" },
      })
    ).body;
  const shown = await Promise.all([...servers, ...servers, ...servers].map(create));
  expect(shown[0]?.key).toBeDefined();
  expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1);
  for (const { server } of servers) {
    const { api_keys } = await server.api<{ api_keys: { name: string }[] }>("GET", "/api-keys");
    expect(api_keys.filter(({ name }) => name === "once")).toHaveLength(1);
  }
});

test("an event stream at one server tells what the other one does", async () => {
  const { servers, urlAt } = await severalServers(2);
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  const stream = await b.server.fetch("/api/v1/events", {
    headers: { authorization: "Bearer test-admin-key-0123456789" },
  });
  const reader = stream.body?.getReader();
  const id = await a.story.accept(urlAt(a), SECRET, "{}");
  let text = "";
  await waitFor(async () => {
    const { value } = (await reader?.read()) ?? {};
    text += Buffer.from(value ?? []).toString();
    return text.includes(id);
  });
  await reader?.cancel();
});

test("a commit comes into force at every server", async () => {
  const { repository, servers } = await severalServers(2);
  repository.push({
    "automations/b.md":
      "---\ntriggers: [{ provider: webhook, event: received, millrace: { webhooks: [w] } }]\n---\nMore.\n",
  });
  for (const { server } of servers)
    await waitFor(async () => {
      const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factories");
      const { automations } = await server.api<{ automations: { name: string }[] }>(
        "GET",
        `/factories/${factories[0]?.uid}/automations`,
      );
      return automations.some(({ name }) => name === "b");
    });
});

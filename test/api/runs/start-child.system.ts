import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { TOKEN_WEBHOOK } from "../../given/definition.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";

const TOKEN = "a-token-of-many-letters";

const stage = sharedByFile(async () => {
  const given = await serverWithFamily({
    "agents/coder/agent.md": agentWith("agentType: IMPLEMENT\nmillrace: { mayStart: [tester], children: 2 }"),
    "agents/tester/agent.md": agentWith("agentType: VERIFY\nmillrace: { mayStart: [coder] }"),
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": `---
triggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]
millrace: { mayStart: [coder], depth: 1 }
---
Do it.
`,
  });
  await given.story.setSecret("CI_SECRET", TOKEN);
  await given.story.sync();
  return given;
});

describe("an agent that starts another one", () => {
  test("gets a run of that agent in the same factory, whose parent is its own run", async () => {
    const { root, startWith, get, server } = stage();
    const { id, key } = await root({ metadata: { ticket: "T-1" } });
    const started = await startWith(key, { agent: "coder", title: "Code it", metadata: { part: "a" } });
    expect(started.status).toBe(200);
    const child = (await get(`/agent/runs/${started.body.run_id}`)).body;
    const parent = (await get(`/agent/runs/${id}`)).body;
    expect(child).toMatchObject({
      parent_run_id: id,
      root_run_id: id,
      source: "ORCHESTRATION",
      title: "Code it",
      factory_uid: parent.factory_uid,
      metadata: { ticket: "T-1", part: "a" },
      creator: { display_name: "boss" },
      executor: { display_name: "coder" },
    });
    const { events } = await server.api<{ events: { event_type: string; payload: object }[] }>(
      "GET",
      `/agent/runs/${id}/timeline`,
    );
    expect(events.find(({ event_type }) => event_type === "child_started")?.payload).toMatchObject({
      run_id: started.body.run_id,
      agent: "coder",
    });
  });

  test("starts it once under an Idempotency-Key, also in a later turn of its run", async () => {
    const { root, startWith, end, tokenOf, server } = stage();
    const { id, key } = await root();
    const once = { "idempotency-key": "the-coder" };
    const first = await startWith(key, { agent: "coder" }, once);
    await end(id);
    await ask(server, "POST", `/agent/runs/${id}/followups`, { body: { message: "Go on." } });
    const again = await startWith(await tokenOf(id, 2), { agent: "coder" }, once);
    expect(again.body).toEqual(first.body);
    const empty = { agent: "coder", metadata: {}, attachments: [] };
    expect((await startWith(await tokenOf(id, 2), empty, once)).body).toEqual(first.body);
    const other = await startWith(await tokenOf(id, 2), { agent: "coder", title: "Again" }, once);
    expect(other.status).toBe(409);
    expect(other.body.detail).toContain(
      `Run ${first.body.run_id} was already started with the same agent, prompt and key`,
    );
    expect(other.body.remedy).toContain("pass another `key`");
  });

  test("starts none that its grant does not name, and is told which it names", async () => {
    const { root, startWith, tokenOf, get } = stage();
    const { key } = await root();
    const { body } = await startWith(key, { agent: "coder" });
    const refused = await startWith(await tokenOf(body.run_id), { agent: "boss" });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ reason: "not_granted", remedy: "It may start: tester." });
    const { body: timeline } = await get(`/agent/runs/${body.run_id}/timeline`);
    expect(timeline.events).toContainEqual(
      expect.objectContaining({
        event_type: "start_refused",
        payload: { turn: 1, reason: "not_granted", agent: "boss" },
      }),
    );
  });

  test.each([
    [{ agent: "coder", config: {} }, "config"],
    [{ agent: "coder", factory: "acme" }, "factory"],
    [{ agent: "coder", parent_run_id: "01a1fe22-6744-70ce-94a0-348515e54587" }, "parent_run_id"],
  ])("cannot decide what is not its own: %j", async (body, field) => {
    const { root, startWith } = stage();
    const refused = await startWith((await root()).key, body);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ field });
  });

  test("starts no more than its grant allows, however many it asks for at once", async () => {
    const { root, startWith, tokenOf } = stage();
    const { key } = await root();
    const { body } = await startWith(key, { agent: "coder" });
    const token = await tokenOf(body.run_id);
    const asked = await Promise.all([1, 2, 3, 4].map(() => startWith(token, { agent: "tester" })));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  });

  test("starts one run, whichever of many requests at once with the same Idempotency-Key is the first", async () => {
    const { root, startWith, server } = stage();
    const { id, key } = await root();
    const once = { "idempotency-key": "at-once" };
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => startWith(key, { agent: "coder" }, once)),
    );
    expect(new Set(asked.map(({ status, body }) => `${status} ${body.run_id}`)).size).toBe(1);
    const { body } = await ask<{ runs: object[] }>(server, "GET", `/agent/runs/${id}/tree`);
    expect(body.runs).toHaveLength(2);
  });

  test("starts none when its family has as many generations as the root's grant allows", async () => {
    const { root, startWith, tokenOf } = stage();
    const coder = await startWith((await root()).key, { agent: "coder" });
    const tester = await startWith(await tokenOf(coder.body.run_id), { agent: "tester" });
    const refused = await startWith(await tokenOf(tester.body.run_id), { agent: "coder" });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ reason: "depth" });
  });

  test("has the grant of its automation in place of that of its agent", async () => {
    const { story, startWith, tokenOf } = stage();
    const delivery = await story.accept(await story.urlOf("ci"), TOKEN, "{}");
    const { run_ids } = await story.delivery(delivery);
    const key = await tokenOf(run_ids[0] ?? "");
    expect((await startWith(key, { agent: "tester" })).body).toMatchObject({ reason: "not_granted" });
    const coder = await startWith(key, { agent: "coder" });
    expect(coder.status).toBe(200);
    const refused = await startWith(await tokenOf(coder.body.run_id), { agent: "tester" });
    expect(refused.body).toMatchObject({ reason: "depth" });
  });

  test("is at most twice on a line from the root down", async () => {
    const { root, startWith, tokenOf } = stage();
    const again = await startWith((await root()).key, { agent: "boss" });
    const refused = await startWith(await tokenOf(again.body.run_id), { agent: "boss" });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ reason: "cycle" });
  });
});

test("a key starts the agent that it names", async () => {
  const { start, get, server } = stage();
  const id = await start({ agent: "tester" });
  expect((await get(`/agent/runs/${id}`)).body).toMatchObject({ executor: { display_name: "tester" } });
  const unknown = await ask(server, "POST", "/agent/runs", { body: { prompt: "Do it.", agent: "painter" } });
  expect(unknown.body).toMatchObject({ status: 400, field: "agent" });
});

import { describe, expect, test } from "vitest";
import { aKey, ask, makeKey } from "../../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";
import { twoFactories } from "../../given/two-factories.ts";

interface Pause {
  id: string;
  scope: string;
}

const HOOKS = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
const QUICK = "process.exit(0);";

async function acme(env = {}) {
  const dataDir = `${temporaryFolder("pauses")}/data`;
  const { server, story, source } = await serving(HOOKS, { CI_SECRET: "t" }, { agent: QUICK, dataDir, env });
  const url = await story.urlOf("ci");
  return { server, story, source, dataDir, deliver: (body: string) => story.accept(url, "t", body) };
}

describe("a paused server", () => {
  test("records deliveries and queues their runs, which start when the pause ends", async () => {
    const { server, story, deliver } = await acme();
    const { id } = await server.api<Pause>("POST", "/pauses", { reason: "deploying" });
    const delivery = await story.delivery(await deliver("1"));
    expect(delivery).toMatchObject({ outcome: "Accepted" });
    const [run_id = ""] = delivery.run_ids;
    const asked = await server.api("POST", "/agent/runs", { prompt: "Do it." });
    expect(asked).toMatchObject({ state: "QUEUED", at_capacity: true });
    // A run of another kind would have begun: the queue has looked since, at the latest when this one is cancelled.
    await server.api("POST", `/agent/runs/${asked.run_id}/cancel`);
    expect(await story.run(run_id)).toMatchObject({ state: "QUEUED" });

    expect((await ask(server, "DELETE", `/pauses/${id}`)).status).toBe(204);
    expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
    expect((await ask(server, "DELETE", `/pauses/${id}`)).status).toBe(404);
  });

  test("is still paused after a restart, and logs that it is", async () => {
    const { server, story, source, dataDir, deliver } = await acme();
    await server.api("POST", "/pauses", { reason: "deploying" });
    const [run_id = ""] = (await story.delivery(await deliver("1"))).run_ids;
    await server.stop();
    const next = await startServer({ sources: [source], dataDir, agent: QUICK });
    expect(next.log()).toContain("deploying");
    expect(await storyOf(next).run(run_id)).toMatchObject({ state: "QUEUED" });
    const { pauses } = await next.api<{ pauses: Pause[] }>("GET", "/pauses");
    await next.api("DELETE", `/pauses/${pauses[0]?.id}`).catch(() => {});
    expect(await storyOf(next).ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
  });
});

describe("a pause", () => {
  test("of a webhook and one of an automation are found by name, and each is made once", async () => {
    const { server } = await acme();
    const first = await ask(server, "POST", "/pauses", { body: { factory: "acme", webhook: "ci" } });
    expect(first).toMatchObject({ status: 201, body: { scope: "webhook", factory: "acme", webhook: "ci" } });
    const again = await ask(server, "POST", "/pauses", { body: { webhook: "ci", reason: "later" } });
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, reason: null } });
    const other = await ask(server, "POST", "/pauses", { body: { automation: "a" } });
    expect(other).toMatchObject({ status: 201, body: { scope: "automation", automation: "a" } });
    expect(await server.api("GET", "/pauses")).toMatchObject({
      pauses: [{ webhook: "ci" }, { automation: "a" }],
    });
  });

  test.each([
    [{ webhook: "ci", automation: "a" }, 400],
    [{ webhook: "none" }, 404],
    [{ factory: "none" }, 404],
    [{ colour: "red" }, 400],
    [{ reason: "x".repeat(501) }, 400],
  ])("of %j is refused with %i", async (body, status) => {
    const { server } = await acme();
    expect((await ask(server, "POST", "/pauses", { body })).status).toBe(status);
    expect(await server.api("GET", "/pauses")).toMatchObject({ pauses: [] });
  });

  test("is reported to everyone who follows events, and is in the audit log with what it pauses", async () => {
    const { server } = await acme();
    const events = await server.fetch("/api/v1/events", {
      headers: { authorization: "Bearer test-admin-key-0123456789" },
    });
    const reader = events.body?.getReader();
    const { id } = await server.api<Pause>("POST", "/pauses", { factory: "acme", webhook: "ci" });
    let heard = "";
    await waitFor(async () => {
      heard += Buffer.from((await reader?.read())?.value ?? "").toString();
      return heard.includes("event: pause") && heard.includes(id) ? true : undefined;
    });
    await reader?.cancel();
    const { audit_log } = await server.api<{ audit_log: object[] }>("GET", "/audit-log");
    expect(audit_log).toContainEqual(
      expect.objectContaining({ action: "createPause", subject: "acme/ci", status: 201 }),
    );
  });
});

describe("a key that is limited to one factory", () => {
  test("pauses that factory, and neither another one nor the server", async () => {
    const { server } = await twoFactories();
    const { key } = await makeKey(server, { name: "limited", role: "operator", factories: ["acme"] });
    const pause = (body: object) => ask<{ id: string }>(server, "POST", "/pauses", { key, body });
    expect((await pause({})).status).toBe(403);
    expect((await pause({ factory: "other" })).status).toBe(404);
    expect((await pause({ factory: "acme" })).status).toBe(201);
  });

  test("sees the pauses of the server and of its factory, and ends only the latter", async () => {
    const { server } = await twoFactories();
    const key = await aKey(server, { role: "operator", factories: ["acme"] });
    const ids = [];
    for (const body of [{}, { factory: "acme" }, { factory: "other" }])
      ids.push((await server.api<Pause>("POST", "/pauses", body)).id);
    const { body } = await ask<{ pauses: Pause[] }>(server, "GET", "/pauses", { key });
    expect(body.pauses.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
    const end = async (id = "") => (await ask(server, "DELETE", `/pauses/${id}`, { key })).status;
    expect([await end(ids[0]), await end(ids[1]), await end(ids[2])]).toEqual([403, 204, 404]);
  });

  test("a viewer pauses nothing", async () => {
    const { server } = await acme();
    const key = await aKey(server, { role: "viewer" });
    expect((await ask(server, "POST", "/pauses", { key, body: {} })).status).toBe(403);
  });
});

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { ADMIN_KEY } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import type { Run } from "../../given/story.ts";

const FILES = {
  ...FACTORY,
  "factory.yaml": `${FACTORY["factory.yaml"]}secrets: [AGENT_SECRET]\n`,
  "agents/second/agent.md": "---\n{}\n---\nYou review.\n",
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/first.md": automationOn(["ci"], undefined, "Do the first thing."),
  "automations/second.md": automationOn(["ci"], undefined, "Do the second thing."),
};
const AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  if (prompt.includes("Stay.")) setInterval(() => {}, 1000);
  else console.log(process.env.AGENT_SECRET === undefined ? "no secret" : "a secret");`;

const shared = sharedByFile(async () => {
  const given = await serving(
    FILES,
    { CI_SECRET: "the-token", AGENT_SECRET: "x".repeat(20) },
    { agent: AGENT },
  );
  const { url, uid } = await given.story.webhook("ci");
  const { server, story } = given;
  const again = (id: string, options: Parameters<typeof ask>[3] = {}) =>
    ask<{ run_id: string; detail: string; remedy: string }>(
      server,
      "POST",
      `/agent/runs/${id}/run-again`,
      options,
    );
  return {
    ...given,
    url,
    webhookUid: uid,
    again,
    /** A delivery and the ended run of one of its automations. */
    async delivered(automation: string, body = `{"n":${Math.random()}}`) {
      const id = await story.accept(url, "the-token", body);
      const runs: Run[] = [];
      for (const run of (await story.delivery(id)).run_ids) runs.push(await story.ended(run));
      const run = runs.find(({ title }) => title === automation) ?? expect.unreachable();
      return { deliveryId: id, run, body };
    },
    plan: (id: string) => server.api("GET", `/agent/runs/${id}/run-again`),
    /** Changes the files of the factory while something is tried, and puts them back. */
    async whileDefined(changes: Record<string, string | null>, act: () => Promise<void>) {
      const write = (path: string, text: string | null | undefined) =>
        text == null
          ? rmSync(join(given.source, path), { force: true })
          : writeFileSync(join(given.source, path), text);
      for (const [path, text] of Object.entries(changes)) write(path, text);
      await story.sync();
      await act();
      for (const path of Object.keys(changes)) write(path, FILES[path as keyof typeof FILES]);
      await story.sync();
    },
  };
});

describe("a run of an automation, run again", () => {
  test("starts that automation alone, with the same delivery and its payload", async () => {
    const { delivered, again, story } = shared();
    const { deliveryId, run, body } = await delivered("first");
    const before = (await story.runs()).length;
    const answer = await again(run.run_id);
    expect(answer.status).toBe(200);
    const repeated = await story.ended(answer.body.run_id);
    expect((await story.runs()).length).toBe(before + 1);
    expect(repeated).toMatchObject({
      rerun_of: run.run_id,
      state: "SUCCEEDED",
      delivery_id: deliveryId,
      automation_id: run.automation_id,
      webhook_uid: run.webhook_uid,
      factory_uid: run.factory_uid,
      source: "CUSTOM_WEBHOOK",
      executor: run.executor,
      prompt: run.prompt,
    });
    expect(repeated.creator.type).toBe("user");
    expect(String(await story.attachment(repeated.run_id, "event-payload.json"))).toBe(body);
    expect(await story.transcript(repeated.run_id)).toContain("a secret");
    expect((await story.delivery(deliveryId)).run_ids).toContain(repeated.run_id);
  });

  test("is found by the run that it repeats", async () => {
    const { delivered, again, server } = shared();
    const { run } = await delivered("first");
    const { body } = await again(run.run_id);
    const { runs } = await server.api<{ runs: Run[] }>("GET", `/agent/runs?rerun_of=${run.run_id}`);
    expect(runs.map(({ run_id }) => run_id)).toEqual([body.run_id]);
  });

  test("is started once, however often the request is repeated with its key", async () => {
    const { delivered, again } = shared();
    const { run } = await delivered("first");
    const other = await delivered("second");
    const headers = { "idempotency-key": `again ${run.run_id}`.replace(" ", "-") };
    const [one, two] = await Promise.all([again(run.run_id, { headers }), again(run.run_id, { headers })]);
    expect(one.body.run_id).toBe(two.body.run_id);
    expect((await again(other.run.run_id, { headers })).status).toBe(409);
  });

  test("goes by the automation as it is defined now, enabled or not", async () => {
    const { delivered, again, story, whileDefined, plan } = shared();
    const { run } = await delivered("first");
    const changed = automationOn(["ci"], { never: [true] }, "Do it better.").replace(
      "---\n",
      "---\nenabled: false\nagent: second\n",
    );
    await whileDefined({ "automations/first.md": changed }, async () => {
      expect(await plan(run.run_id)).toMatchObject({
        based_on: "automation",
        automation: "first",
        automation_enabled: false,
        agent: "second",
        factory: "acme",
        attachments: ["event-payload.json"],
        secrets: ["AGENT_SECRET"],
        is_paused: false,
      });
      const { body } = await again(run.run_id);
      const repeated = await story.ended(body.run_id);
      expect(repeated.prompt).toMatch(/^Do it better\.\n\n---\nThis run was started by the delivery/);
      expect(repeated.executor.display_name).toBe("second");
    });
  });

  test("whose automation is gone repeats the recorded request with its agent, and the payload", async () => {
    const { delivered, again, story, whileDefined, plan } = shared();
    const { run, body: payload } = await delivered("first");
    await whileDefined({ "automations/first.md": null }, async () => {
      expect(await plan(run.run_id)).toMatchObject({ based_on: "request", agent: "boss" });
      const { body } = await again(run.run_id);
      const repeated = await story.ended(body.run_id);
      expect(repeated).toMatchObject({ prompt: run.prompt, title: run.title, rerun_of: run.run_id });
      expect(repeated.automation_id).toBeUndefined();
      expect(String(await story.attachment(repeated.run_id, "event-payload.json"))).toBe(payload);
    });
  });

  test("is refused when the payload of its delivery was deleted", async () => {
    const { delivered, again, server, plan } = shared();
    const { run, deliveryId } = await delivered("first");
    await server.api("DELETE", `/factories/acme/deliveries/${deliveryId}/payload`);
    const { status, body } = await again(run.run_id);
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining("payload of its delivery was deleted"),
    ]);
    await expect(plan(run.run_id)).rejects.toThrow("409");
  });

  test("waits while its automation is paused, and the plan says so", async () => {
    const { delivered, again, server, story, plan } = shared();
    const { run } = await delivered("first");
    const { id } = await server.api<{ id: string }>("POST", "/pauses", {
      factory: "acme",
      automation: "first",
    });
    expect(await plan(run.run_id)).toMatchObject({ is_paused: true });
    const { body } = await again(run.run_id);
    expect((await story.run(body.run_id)).state).toBe("QUEUED");
    await server.api("DELETE", `/pauses/${id}`);
    expect((await story.ended(body.run_id)).state).toBe("SUCCEEDED");
  });
});

describe("a run that was requested, run again", () => {
  const request = {
    prompt: "Look at this.",
    title: "A look",
    metadata: { ticket: "T-1" },
    config: { secrets: [], model_id: "m" },
    attachments: [{ file_name: "a.txt", mime_type: "text/plain", data: "YQ==" }],
  };

  test("has the same request, agent, secrets, metadata and attachments", async () => {
    const { server, again, story } = shared();
    const { agents } = await server.api<{ agents: { uid: string; name: string }[] }>(
      "GET",
      "/agent/identities",
    );
    const agent_identity_uid = agents.find(({ name }) => name === "second")?.uid;
    const { run_id } = await server.api<Run>("POST", "/agent/runs", { ...request, agent_identity_uid });
    const first = await story.ended(run_id);
    const { body } = await again(run_id);
    const second = await story.ended(body.run_id);
    const { title, prompt, executor, agent_config, metadata, factory_uid, source } = first;
    expect(second).toMatchObject({ title, prompt, executor, agent_config, metadata, factory_uid, source });
    expect(String(await story.attachment(second.run_id, "a.txt"))).toBe("a");
    expect(await story.transcript(second.run_id)).toContain("no secret");
  });

  test("is refused until it has ended, with what to do", async () => {
    const { server, again, story } = shared();
    const { run_id } = await server.api<Run>("POST", "/agent/runs", { prompt: "Stay." });
    const { status, body } = await again(run_id);
    expect([status, body.remedy]).toEqual([409, expect.stringContaining(`millrace runs cancel ${run_id}`)]);
    await server.api("POST", `/agent/runs/${run_id}/cancel`);
    await story.ended(run_id);
    expect((await again(run_id, { key: ADMIN_KEY })).status).toBe(200);
  });
});

test("a viewer may not run anything again, and a key for another factory does not find the run", async () => {
  const { delivered, again, server } = shared();
  const { run } = await delivered("first");
  expect((await again(run.run_id, { key: await aKey(server, { role: "viewer" }) })).status).toBe(403);
  const { uid } = await server.api<{ uid: string }>("POST", "/factories", { name: "other" });
  const key = await aKey(server, { role: "operator", factories: [uid] });
  expect((await again(run.run_id, { key })).status).toBe(404);
  const search = `/agent/runs?q=${run.run_id.slice(0, 30)}`;
  expect((await ask(server, "GET", search)).body).toMatchObject({ runs: [{ run_id: run.run_id }] });
  expect((await ask(server, "GET", search, { key })).body).toMatchObject({ runs: [] });
  const { audit_log } = await server.api<{ audit_log: object[] }>("GET", "/audit-log?limit=20");
  expect(audit_log).toContainEqual(
    expect.objectContaining({ action: "runAgain", subject: run.run_id, status: 403 }),
  );
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aKey, ask, makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { silentHost } from "../../given/raw-http.ts";
import { ADMIN_KEY, run, type Server, startServer, waitFor } from "../../given/server.ts";
import { serving, twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

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

const shared = sharedByFile(() => acme());

describe("a pause", () => {
  test.each([
    [{ webhook: "ci", automation: "a" }, 400],
    [{ webhook: "none" }, 404],
    [{ factory: "none" }, 404],
    [{ colour: "red" }, 400],
    [{ reason: "x".repeat(501) }, 400],
  ])("of %j is refused with %i", async (body, status) => {
    const { server } = shared();
    expect((await ask(server, "POST", "/pauses", { body })).status).toBe(status);
    expect(await server.api("GET", "/pauses")).toMatchObject({ pauses: [] });
  });

  test("is reported to everyone who follows events, and is in the audit log with what it pauses", async () => {
    const { server } = shared();
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
    await server.api("DELETE", `/pauses/${id}`);
  });

  test("of a webhook and one of an automation are found by name, and each is made once", async () => {
    const { server } = shared();
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
});

describe("a key that is limited to one factory", () => {
  const two = sharedByFile(() => twoFactories());

  test("pauses that factory, and neither another one nor the server", async () => {
    const { server } = two();
    const { key } = await makeKey(server, { name: "limited", role: "operator", factories: ["acme"] });
    const pause = (body: object) => ask<{ id: string }>(server, "POST", "/pauses", { key, body });
    expect((await pause({})).status).toBe(403);
    expect((await pause({ factory: "other" })).status).toBe(404);
    const made = await pause({ factory: "acme" });
    expect(made.status).toBe(201);
    await server.api("DELETE", `/pauses/${made.body.id}`);
  });

  test("sees the pauses of the server and of its factory, and ends only the latter", async () => {
    const { server } = two();
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
    const { server } = shared();
    const key = await aKey(server, { role: "viewer" });
    expect((await ask(server, "POST", "/pauses", { key, body: {} })).status).toBe(403);
  });
});

interface List {
  factories: { name: string }[];
  resting?: object[];
}

const other = () =>
  folderWith({ ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other") });

/** A server that has "acme" on record, whose folder no source of this start is, and "other" in force. */
async function withResting() {
  const dataDir = join(temporaryFolder(), "data");
  const folder = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]),
  });
  const first = await startServer({ sources: [folder], dataDir });
  await storyOf(first).setSecret("CI_SECRET", "the-token-of-the-ci-webhook");
  await storyOf(first).sync();
  const { uid } = await storyOf(first).factory();
  await first.stop();
  const source = other();
  const start = (sources = [source]) => startServer({ sources, dataDir });
  const server = await start();
  await waitFor(() => server.log().includes("millrace factories delete acme"));
  return { server, uid, folder, source, start };
}

const listOn = (server: Server, key = ADMIN_KEY) => ask<List>(server, "GET", "/factories", { key });

const resting = sharedByFile(withResting);

test("the command that lists factories names it, and what to do", async () => {
  const { server, folder } = resting();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed, said } = await run(["factories", "list"], env);
  expect(printed).toMatch(/^other +folder +synced +\S+$/m);
  expect(printed).toMatch(/^acme +folder +resting +-$/m);
  expect(said).toBe(
    `Factory "acme" is resting: its source is not configured. 1 webhook answers 404, and 0 runs wait. ` +
      `Specify the source ${folder} again to load the factory, or run \`millrace factories delete acme\` to delete it.\n`,
  );
  expect(JSON.parse((await run(["factories", "list", "--json"], env)).printed)).toHaveLength(1);
});

test("a factory that no source serves is in the list of factories by itself, for those who reach it", async () => {
  const { server, uid, folder } = resting();
  const listed = [
    { uid, name: "acme", mode: "folder", source: { path: folder }, webhooks: 1, waiting_runs: 0 },
  ];
  const { body } = await listOn(server);
  expect([body.factories.map(({ name }) => name), body.resting]).toEqual([["other"], listed]);
  const [{ uid: served } = { uid: "" }] = (
    await server.api<{ factories: { uid: string }[] }>("GET", "/factories")
  ).factories;
  const { key } = await makeKey(server, { name: "tenant", role: "viewer", factories: [served] });
  expect((await listOn(server, key)).body.resting).toBeUndefined();
  await server.api("DELETE", "/factories/acme");
  expect((await listOn(server)).body.resting).toBeUndefined();
});

/** What the doctor says of the factory "acme". */
async function examinedOn({ dataDir }: Server) {
  const { printed } = await run(["doctor", "--json", "--data-dir", dataDir], {
    MILLRACE_SANDBOX: "none",
    MILLRACE_AGENT_COMMAND: process.execPath,
  });
  const { findings } = JSON.parse(printed) as { findings: { check: string; status: string }[] };
  return findings.find(({ check }) => check === "factory acme");
}

test("the doctor also warns of it when the server was stopped before its start could read a source", async () => {
  const { server, folder, start } = await withResting();
  await server.stop();
  await (await start([folder])).stop();
  expect(await examinedOn(server)).toMatchObject({ status: "ok" });
  const { url } = await silentHost();
  const waiting = await start([`${url}/other.git`]);
  await waiting.stop();
  expect(await examinedOn(server)).toMatchObject({ status: "warning" });
  // The doctor waits for the host, too.
});

test("the doctor warns of it until it is served again", async () => {
  const { server, folder, source, start } = await withResting();
  const examined = () => examinedOn(server);
  expect(
    await waitFor(async () => ((await examined())?.status === "warning" ? examined() : undefined)),
  ).toEqual({
    check: "factory acme",
    status: "warning",
    message:
      "It is resting: its source was not configured when the server last started. 1 webhook answers 404, and 0 runs wait.",
    remedy: `Specify the source ${folder} again to load the factory, or run \`millrace factories delete acme\` to delete it.`,
  });
  await server.stop();
  await start([source, folder]);
  expect(
    await waitFor(async () => ((await examined())?.status === "ok" ? examined() : undefined)),
  ).toBeDefined();
});

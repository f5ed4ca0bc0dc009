import { describe, expect, test } from "vitest";
import { listOperations } from "../../../src/api/document.ts";
import type { Models } from "../../../src/client/client.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { OPEN } from "../../given/role-table.ts";
import { AMPLE_BUDGETS, twoFactories } from "../../given/serving.ts";
import { seenProcess } from "../../given/workers.ts";

type Worker = Models["Worker"];
type Created = Models["CreatedWorker"];

const stage = sharedByFile(() => twoFactories({}, { env: AMPLE_BUDGETS }));

const create = async (body: Models["NewWorker"]) =>
  (await ask<Created>(stage().server, "POST", "/workers", { body })).body;
const show = async (id: string) => (await ask<Worker>(stage().server, "GET", `/workers/${id}`)).body;

describe("a worker", () => {
  test("is created with a token that is shown once, and is listed without it", async () => {
    const { server, acme } = stage();
    const { status, body } = await ask<Created>(server, "POST", "/workers", {
      body: { name: "gpu-1", labels: ["gpu", "eu", "gpu"], factories: ["acme"] },
    });
    const { token, ...worker } = body;
    expect([status, token]).toEqual([201, expect.stringMatching(/^mrw_\w{40}$/)]);
    expect(worker).toMatchObject({
      name: "gpu-1",
      state: "offline",
      labels: ["eu", "gpu"],
      granted_labels: ["eu", "gpu"],
      factories: [acme],
      prefix: token.slice(0, 9),
      created_by: { type: "user", display_name: "admin" },
      last_seen_at: null,
      processes: [],
    });
    expect(await show(worker.id)).toEqual(worker);
    const { workers } = (await ask<Models["WorkerList"]>(server, "GET", "/workers")).body;
    expect(workers).toContainEqual(worker);
    expect(JSON.stringify(workers)).not.toContain(token);
  });

  test("is created once by a request that is sent again with its key", async () => {
    const { server } = stage();
    const send = () =>
      ask<Created>(server, "POST", "/workers", {
        body: { name: "once" },
        headers: { "idempotency-key": "worker-1" },
      });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    const { workers } = (await ask<Models["WorkerList"]>(server, "GET", "/workers")).body;
    expect(workers.filter(({ name }) => name === "once")).toHaveLength(1);
  });

  test.each([
    [{ name: "local" }, 400, "name", "names of the server itself"],
    [{ name: "Warp" }, 400, "name", "names of the server itself"],
    [{ name: "labels:gpu" }, 400, "name", "beginning with a letter or digit"],
    [{ name: "x".repeat(64) }, 400, "name", "1 to 63 letters"],
    [{ name: "a", labels: ["GPU"] }, 400, "labels", "lower-case letters"],
    [
      { name: "a", labels: Array.from({ length: 33 }, (_, n) => `l${n}`) },
      400,
      "labels",
      "at most 32 labels",
    ],
    [{ name: "a", factories: ["nowhere"] }, 404, "factories", 'no factory "nowhere"'],
    // Nobody who means no factory gets every one.
    [{ name: "a", factories: [] }, 400, undefined, "factories"],
  ])("is not created from %o", async (body, status, field, words) => {
    const { server } = stage();
    const before = (await ask<Models["WorkerList"]>(server, "GET", "/workers")).body.workers.length;
    const refused = await ask(server, "POST", "/workers", { body });
    expect(refused.status).toBe(status);
    if (field) expect(refused.body.field).toBe(field);
    expect(refused.body.detail).toContain(words);
    const { workers } = (await ask<Models["WorkerList"]>(server, "GET", "/workers")).body;
    expect(workers).toHaveLength(before);
  });

  test("shows the processes that use its token, and their load together", async () => {
    const { server } = stage();
    const { id, token } = await create({ name: "pool" });
    await seenProcess(server, token, { uid: "one", executing: 1, labels: ["eu"] });
    await seenProcess(server, token, { uid: "two", executing: 3, version: "1.2.4" });
    const worker = await show(id);
    expect(worker).toMatchObject({
      state: "connected",
      concurrency: 8,
      executing: 4,
      platform: { os: "linux", arch: "x86_64" },
      shape: { vcpus: 4, memory_gb: 16 },
      sandbox: "bwrap",
    });
    expect(worker.processes.map(({ uid, labels }) => [uid, labels])).toEqual([
      ["one", ["eu"]],
      ["two", []],
    ]);
  });

  test("is drained and gets turns again, and whoever did so stands in the audit log", async () => {
    const { server } = stage();
    const { id, token } = await create({ name: "drained" });
    await seenProcess(server, token);
    const drained = await ask<Worker>(server, "POST", `/workers/${id}/drain`);
    expect([drained.status, drained.body.state]).toEqual([200, "draining"]);
    const again = await ask<Worker>(server, "POST", `/workers/${id}/drain`);
    expect(again.body.draining_since).toBe(drained.body.draining_since);
    const ended = await ask<Worker>(server, "DELETE", `/workers/${id}/drain`);
    expect([ended.body.state, ended.body.draining_since]).toEqual(["connected", null]);
    expect((await ask(server, "DELETE", `/workers/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ["GET", `/workers/${id}`],
      ["DELETE", `/workers/${id}`],
      ["POST", `/workers/${id}/drain`],
      ["DELETE", `/workers/${id}/drain`],
    ] as const)
      expect((await ask(server, method, path)).status).toBe(404);
    const { audit_log: log } = (await ask<Models["AuditLog"]>(server, "GET", "/audit-log")).body;
    const actions = log.filter(({ subject }) => subject === id || subject === "drained");
    expect(actions.filter(({ status }) => status < 300).map(({ action }) => action)).toEqual([
      ...["revokeWorker", "endWorkerDrain", "drainWorker", "drainWorker", "createWorker"],
    ]);
    expect(JSON.stringify(log)).not.toContain(token);
  });
});

test("connected workers are listed by their names, as clients of the public API ask for them", async () => {
  const { server } = stage();
  const [first, second] = [await create({ name: "shared" }), await create({ name: "shared" })];
  const hosts = async () =>
    (
      await ask<Models["ConnectedWorkerList"]>(server, "GET", "/agent/connected-self-hosted-workers")
    ).body.workers.filter(({ worker_host }) => worker_host === "shared");
  expect(await hosts()).toEqual([]);
  const [before, at] = [new Date(Date.now() - 20_000), new Date()];
  await seenProcess(server, first.token, { at: before });
  await seenProcess(server, second.token, { at });
  await seenProcess(server, second.token, { at: before });
  expect(await hosts()).toEqual([
    {
      worker_host: "shared",
      connection_count: 3,
      connected_at: before.toISOString(),
      last_seen_at: at.toISOString(),
    },
  ]);
});

describe("the token of a worker", () => {
  const closed = listOperations()
    .filter(({ operation }) => !OPEN.includes(operation.operationId))
    .map((placed) => [placed.operation.operationId, placed] as const);

  test.each(closed)("does not open %s", async (_, { method, path }) => {
    const { server } = stage();
    token ??= (await create({ name: "hostile" })).token;
    const target = path.replace("{factory}", "acme").replace(/\{\w+\}/g, "nothing");
    const refused = await ask(server, method.toUpperCase(), target, {
      key: token,
      ...(method === "get" || method === "delete" ? {} : { body: {} }),
    });
    expect(refused.status).toBe(401);
    expect(refused.body.detail).toContain("only for `millrace worker`");
  });
  let token: string | undefined;

  test("opens neither a session of the dashboard nor the metrics, nor the tools of agents", async () => {
    const { server } = stage();
    const { token: key } = await create({ name: "hostile" });
    const signIn = await server.fetch("/session", { method: "POST", body: JSON.stringify({ api_key: key }) });
    expect([signIn.status, signIn.headers.get("set-cookie")]).toEqual([401, null]);
    const headers = { authorization: `Bearer ${key}` };
    expect((await server.fetch("/metrics", { headers })).status).toBe(401);
    expect((await ask(server, "POST", "/mcp", { key, body: {} })).status).toBe(401);
  });
});

test("a key that is bound to a factory neither sees nor changes workers, not even those of its factory", async () => {
  const { server } = stage();
  const { id } = await create({ name: "of-acme", factories: ["acme"] });
  const key = await aKey(server, { role: "admin", factories: ["acme"] });
  const statuses = await Promise.all(
    [
      ["GET", "/workers"],
      ["POST", "/workers"],
      ["GET", `/workers/${id}`],
      ["POST", `/workers/${id}/drain`],
      ["DELETE", `/workers/${id}/drain`],
      ["DELETE", `/workers/${id}`],
      ["GET", "/agent/connected-self-hosted-workers"],
    ].map(async ([method = "", path = ""]) => {
      const body = method === "POST" && path === "/workers" ? { body: { name: "mine" } } : {};
      return (await ask(server, method, path, { key, ...body })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([403]));
  expect((await show(id)).draining_since).toBeNull();
});

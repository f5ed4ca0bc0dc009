import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { acmeServer, ask, makeKey } from "../../given/ask.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

describe("a key", () => {
  test("does what its role allows", async () => {
    const server = await acmeServer();
    const make = async (role: string) => (await makeKey(server, { name: role, role })).key;
    const [viewer, operator, admin] = [await make("viewer"), await make("operator"), await make("admin")];
    const statuses = async (key: string) => [
      (await ask(server, "GET", "/agent/runs", { key })).status,
      (await ask(server, "POST", "/agent/runs", { key, body: { prompt: "x" } })).status,
      (await ask(server, "PUT", "/secrets/A", { key, body: { value: "x" } })).status,
      (await ask(server, "GET", "/api-keys", { key })).status,
    ];
    expect(await statuses(viewer)).toEqual([200, 403, 403, 403]);
    expect(await statuses(operator)).toEqual([200, 200, 403, 403]);
    expect(await statuses(admin)).toEqual([200, 200, 200, 200]);
  });

  test("creates as a person or as an agent", async () => {
    const server = await acmeServer();
    const story = storyOf(server);
    for (const [kind, type] of [
      ["personal", "user"],
      ["agent", "service_account"],
    ] as const) {
      const { key } = await makeKey(server, { name: `${kind} key`, kind, role: "operator" });
      const { body } = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "x" } });
      expect((await story.run(String(body.run_id))).creator).toMatchObject({
        type,
        display_name: `${kind} key`,
      });
    }
  });

  test("that is limited to a factory sees nothing beyond it", async () => {
    const other = folderWith({
      ...FACTORY,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other"),
    });
    const server = await startServer({ sources: [folderWith(FACTORY), other] });
    await server.api("POST", "/factories/acme/sync?wait=true").catch(() => storyOf(server).sync());
    const wait = async () => {
      for (const { uid } of (await server.api<{ factories: { uid: string }[] }>("GET", "/factories"))
        .factories)
        await server.api("POST", `/factories/${uid}/sync?wait=true`);
    };
    await wait();
    const { key } = await makeKey(server, { name: "limited", role: "admin", factories: ["other"] });
    const everywhere = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "of no factory",
    });
    const own = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "mine" } });
    expect((await ask(server, "GET", "/factories", { key })).body.factories).toHaveLength(1);
    expect((await ask(server, "GET", "/factories/acme", { key })).status).toBe(404);
    expect((await ask(server, "GET", `/agent/runs/${everywhere.run_id}`, { key })).status).toBe(404);
    expect((await ask(server, "GET", `/agent/runs/${own.body.run_id}`, { key })).status).toBe(200);
    const { runs } = (await ask(server, "GET", "/agent/runs", { key })).body as {
      runs: { run_id: string; factory_uid: string }[];
    };
    expect(runs.map(({ run_id }) => run_id)).toEqual([own.body.run_id]);
    const shared = { value: "x", shared: true };
    expect((await ask(server, "PUT", "/secrets/A", { key, body: shared })).status).toBe(403);
    expect((await ask(server, "POST", "/api-keys", { key, body: { name: "x" } })).status).toBe(403);
    const unlimited = await server.api<{ runs: unknown[] }>("GET", "/agent/runs");
    expect(unlimited.runs).toHaveLength(2);
  });

  test("of the settings is marked as such, stays revoked after a restart, and does not prevent a server from starting", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source], dataDir });
    const { key } = await makeKey(server, { name: "other", role: "admin" });
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: key };
    const { api_keys } = await server.api<{ api_keys: Models["ApiKey"][] }>("GET", "/api-keys");
    const [ofSettings] = api_keys.filter(({ from_settings }) => from_settings);
    const revoked = await run(["keys", "revoke", ofSettings?.id ?? ""], env);
    expect([revoked.code, revoked.said]).toEqual([0, expect.stringContaining("MILLRACE_ADMIN_KEY")]);
    expect(server.log()).toContain("the key in MILLRACE_ADMIN_KEY was revoked");
    await server.stop();
    const again = await startServer({ sources: [source], dataDir });
    expect(again.log()).toContain(`MILLRACE_ADMIN_KEY is set to key ${ofSettings?.id}, which was revoked`);
    expect((await ask(again, "GET", "/factories", { key: ADMIN_KEY })).status).toBe(401);
    expect((await ask(again, "GET", "/factories", { key })).status).toBe(200);
  });

  test("is shown once, and stops working immediately when it is revoked or expires", async () => {
    const server = await acmeServer();
    const created = await ask(server, "POST", "/api-keys", { body: { name: "short", role: "viewer" } });
    expect([created.status, Object.keys(created.body).sort()]).toEqual([201, ["id", "key"]]);
    const { id, key } = created.body as { id: string; key: string };
    expect((await ask(server, "GET", "/factories", { key })).status).toBe(200);
    const list = async () =>
      (await server.api<{ api_keys: Record<string, unknown>[] }>("GET", "/api-keys")).api_keys;
    // The use of a key is written down beside the answer, not before it.
    const api_keys = await waitFor(async () => {
      const keys = await list();
      return keys.find((item) => item.id === id)?.last_used_at ? keys : undefined;
    });
    expect(api_keys.find((item) => item.id === id)).toMatchObject({
      name: "short",
      kind: "personal",
      role: "viewer",
      prefix: key.slice(0, 8),
      last_used_at: expect.any(String),
    });
    expect(JSON.stringify(api_keys)).not.toContain(key);
    await server.api("DELETE", `/api-keys/${id}`);
    expect((await ask(server, "GET", "/factories", { key })).status).toBe(401);
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    const expired = await makeKey(server, { name: "old", expires_at });
    const status = async () => (await ask(server, "GET", "/factories", { key: expired.key })).status;
    expect(await status()).toBe(200);
    await waitFor(async () => (await status()) === 401 || undefined);
  });
});

describe("the last admin key that reaches every factory", () => {
  test("cannot be revoked, even if there is an admin key of one factory", async () => {
    const { server } = await serving(FACTORY, {});
    const limited = await makeKey(server, { name: "limited", role: "admin", factories: ["acme"] });
    const { api_keys } = await server.api<{ api_keys: { id: string; name: string }[] }>("GET", "/api-keys");
    const last = api_keys.find(({ name }) => name === "admin")?.id ?? "";
    const refused = await ask(server, "DELETE", `/api-keys/${last}`);
    expect(refused).toMatchObject({ status: 409, body: { retryable: false, remedy: expect.any(String) } });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await ask(server, "DELETE", `/api-keys/${limited.id}`)).status).toBe(204);
    const another = await makeKey(server, { name: "another", role: "admin" });
    expect((await ask(server, "DELETE", `/api-keys/${last}`)).status).toBe(204);
    expect((await ask(server, "GET", "/api-keys")).status).toBe(401);
    expect((await ask(server, "GET", "/api-keys", another)).status).toBe(200);
  });

  test("remains when the last two are revoked at the same time", async () => {
    const server = await acmeServer();
    const { id, key } = await makeKey(server, { name: "another", role: "admin" });
    const { api_keys } = await server.api<{ api_keys: { id: string; name: string }[] }>("GET", "/api-keys");
    const first = api_keys.find(({ name }) => name === "admin")?.id;
    const revoked = await Promise.all([
      ask(server, "DELETE", `/api-keys/${id}`),
      ask(server, "DELETE", `/api-keys/${first}`, { key }),
    ]);
    const statuses = revoked.map(({ status }) => status);
    // The second may come when its own key is revoked already.
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 401)).toHaveLength(1);
  });
});

test("two keys of one name and kind act as two, and what the first one did stays readable when it is revoked", async () => {
  const server = await acmeServer();
  const story = storyOf(server);
  const made = { name: "deploy", kind: "agent", role: "operator" };
  const run = async (key: string) => {
    const { body } = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "x" } });
    return story.run(String(body.run_id));
  };
  const who = async (key: string) =>
    (await ask<Models["Whoami"]>(server, "GET", "/whoami", { key })).body.principal;
  const first = await makeKey(server, made);
  const firstPrincipal = await who(first.key);
  const firstRun = await run(first.key);
  await server.api("DELETE", `/api-keys/${first.id}`);
  const second = await makeKey(server, made);
  const secondPrincipal = await who(second.key);
  expect(secondPrincipal).toMatchObject({ display_name: "deploy", type: "service_account" });
  expect(secondPrincipal.uid).not.toBe(firstPrincipal.uid);
  const secondRun = await run(second.key);
  expect(secondRun.creator).toMatchObject({ uid: secondPrincipal.uid, display_name: "deploy" });
  const runsOf = async (uid = "") => {
    const { runs } = await server.api<Models["ListRunsResponse"]>("GET", `/agent/runs?creator=${uid}`);
    return runs.map(({ run_id }) => run_id);
  };
  expect(await runsOf(firstPrincipal.uid)).toEqual([firstRun.run_id]);
  expect(await runsOf(secondPrincipal.uid)).toEqual([secondRun.run_id]);
  const subjects = async (actor = "") => {
    const { audit_log } = await server.api<Models["AuditLog"]>("GET", `/audit-log?actor=${actor}`);
    return audit_log.filter(({ action }) => action === "createRun").map(({ key_id }) => key_id);
  };
  expect(await subjects(firstPrincipal.uid)).toEqual([first.id]);
  expect(await subjects(secondPrincipal.uid)).toEqual([second.id]);
  expect(await subjects("deploy")).toEqual([second.id, first.id]);
  const { api_keys } = await server.api<Models["ApiKeyList"]>("GET", "/api-keys");
  const uids = api_keys.filter(({ name }) => name === "deploy").map(({ principal }) => principal.uid);
  expect(uids).toEqual([firstPrincipal.uid, secondPrincipal.uid]);
});

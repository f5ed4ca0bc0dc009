import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { isUuid } from "../../../src/id.ts";
import { type AuditRecord, pruneAudit } from "../../../src/principals/audit.ts";
import { acmeServer, ask, makeKey } from "../../given/ask.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run, type Server, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { aStore, storeOf } from "../../given/store.ts";

type FactoryList = components["schemas"]["FactoryList"];
type AuditLog = components["schemas"]["AuditLog"];
type Entry = AuditLog["audit_log"][number];

const logOf = async (server: Server, query = "?limit=500") =>
  (await server.api<AuditLog>("GET", `/audit-log${query}`)).audit_log;
const lines = (entries: Entry[]) => entries.map(({ action, subject, status }) => [action, subject, status]);

describe("the audit log", () => {
  test("records every call that writes, newest first, with who called and from where", async () => {
    const server = await acmeServer();
    await server.api("PUT", "/secrets/CI_SECRET", { value: "x" });
    const ann = await makeKey(server, { name: "ann", role: "operator" });
    await ask(server, "POST", "/agent/runs", { key: ann.key, body: { prompt: "x" } });
    await ask(server, "GET", "/agent/runs", ann);
    const [{ uid } = { uid: "" }] = (await server.api<FactoryList>("GET", "/factories")).factories;
    await server.api("POST", `/factories/${uid}/sync?wait=true`);
    const log = await logOf(server);
    expect(lines(log)).toEqual([
      ["syncFactory", uid, 200],
      ["createRun", "", 200],
      ["createApiKey", "", 201],
      ["setSecret", "CI_SECRET", 200],
    ]);
    expect(log[1]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      principal: { type: "user", uid: expect.any(String), display_name: "ann" },
      key_id: ann.id,
      action: "createRun",
      subject: "",
      status: 200,
      address: "127.0.0.1",
    });
    expect(log.every(({ id }) => isUuid(id))).toBe(true);
  });

  test("does not record calls that only read, whatever their method: editors check what is typed", async () => {
    const { server } = await serving(FACTORY, {});
    const before = await logOf(server);
    await server.api("POST", "/factories/acme/plan", { traffic: false });
    await server.api("POST", "/factories/acme/filter-test", { body: {} });
    await ask(server, "POST", "/factories/acme/plan", { body: { nonsense: true } });
    expect(await logOf(server)).toEqual(before);
  });

  test("records refused calls, with the trace id of the answer", async () => {
    const server = await acmeServer();
    const { key } = await makeKey(server, { name: "ann", role: "viewer" });
    const refused = [
      await ask(server, "PUT", "/secrets/A", { key, body: { value: "x" } }),
      await ask(server, "PUT", "/secrets/A", { body: { wrong: "x" } }),
      await ask(server, "DELETE", "/api-keys/nobody"),
    ];
    const log = (await logOf(server)).slice(0, 3).reverse();
    expect(lines(log)).toEqual([
      ["setSecret", "A", 403],
      ["setSecret", "A", 400],
      ["revokeApiKey", "nobody", 404],
    ]);
    expect(log.map(({ trace_id }) => trace_id)).toEqual(refused.map(({ body }) => body.trace_id));
    expect(log[0]?.principal.display_name).toBe("ann");
  });

  test("names the run whose token was used, and the agent that executes it", async () => {
    const agent = `const { MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
      const authorization = "Bearer " + token;
      await fetch(url + "/api/v1/agent/runs", { method: "POST", headers: { authorization }, body: '{"prompt":"x"}' });`;
    const server = await acmeServer({ agent });
    const helper = await server.api<{ uid: string }>("POST", "/agent/identities", { name: "helper" });
    const request = { prompt: "x", agent_identity_uid: helper.uid };
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", request);
    const entry = await waitFor(async () =>
      (await logOf(server)).find(({ action, status }) => action === "createRun" && status === 400),
    );
    expect(entry).toMatchObject({ action: "createRun", run_id, key_id: null });
    expect([entry.principal.type, entry.principal.display_name]).toEqual(["service_account", "helper"]);
  });

  test("has no body, no value of a secret and no key", async () => {
    const server = await acmeServer();
    await server.api("PUT", "/secrets/A", { value: "the-value-of-the-secret" });
    await server.api("POST", "/agent/runs", { prompt: "the-words-of-the-prompt" });
    const { key } = await makeKey(server, { name: "ann" });
    const log = JSON.stringify(await logOf(server));
    expect(log).toContain("setSecret");
    for (const kept of ["the-value-of", "the-words-of", key, ADMIN_KEY]) expect(log).not.toContain(kept);
  });

  test("is for admins whose key reaches every factory", async () => {
    const { server } = await serving(FACTORY, {});
    const operator = await makeKey(server, { name: "o", role: "operator" });
    const limited = await makeKey(server, { name: "l", role: "admin", factories: ["acme"] });
    expect((await ask(server, "GET", "/audit-log", operator)).status).toBe(403);
    expect((await ask(server, "GET", "/audit-log", limited)).status).toBe(403);
  });

  test("is walked page by page, while more is written", async () => {
    const server = await acmeServer();
    for (let n = 0; n < 5; n += 1) await server.api("PUT", `/secrets/S${n}`, { value: "x" });
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page: AuditLog = await server.api("GET", `/audit-log?limit=2${cursor}`);
      seen.push(...page.audit_log.map(({ subject }) => subject));
      const next = page.page_info.next_cursor;
      cursor = next && `&cursor=${next}`;
      await server.api("PUT", "/secrets/LATER", { value: "x" });
    }
    expect(seen).toEqual(["S4", "S3", "S2", "S1", "S0"]);
    expect((await ask(server, "GET", "/audit-log?cursor=made-up")).status).toBe(400);
  });

  test("is on the disk when a call is answered, so that a crash right after it takes nothing away", async () => {
    const server = await acmeServer();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => server.api("POST", "/agent/runs", { prompt: `${n}` })),
    );
    await server.kill();
    const { connection, audit } = await storeOf(server);
    const { records: written } = await audit.list({ limit: 100 });
    const [runs] = await connection.all<{ count: number }>("SELECT COUNT(*) AS count FROM runs");
    expect([written.length, runs?.count]).toEqual([20, 20]);
  });

  test("that cannot be written keeps a call from being answered well", async () => {
    const server = await acmeServer();
    const { connection } = await storeOf(server);
    await connection.run("ALTER TABLE audit_log RENAME TO gone");
    expect((await ask(server, "PUT", "/secrets/A", { body: { value: "x" } })).status).toBe(500);
    expect((await ask(server, "GET", "/secrets")).status).toBe(200);
    await connection.run("ALTER TABLE gone RENAME TO audit_log");
    expect((await ask(server, "PUT", "/secrets/A", { body: { value: "x" } })).status).toBe(200);
  });

  test("is shown by a command, as a table or as the API has it", async () => {
    const server = await acmeServer();
    await server.api("PUT", "/secrets/A", { value: "x" });
    await server.api("PUT", "/secrets/B", { value: "x" });
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const { printed } = await run(["audit", "--limit", "1"], env);
    expect(printed).toMatch(/^WHEN +WHO +ACTION +SUBJECT +STATUS\n\d+s ago +admin +setSecret +B +200\n$/);
    expect(JSON.parse((await run(["audit", "--json"], env)).printed)).toEqual(await logOf(server));
  });
});

const NOW = new Date("2026-11-21T12:00:00.000Z");

function aRecord(days: number, serial: number): AuditRecord {
  const at = new Date(NOW.getTime() - days * 86_400_000);
  const hex = at.getTime().toString(16).padStart(12, "0");
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(serial).padStart(12, "0")}`,
    at: at.toISOString(),
    principal: { uid: "ann", type: "user", displayName: "Ann" },
    keyId: "key",
    runId: null,
    factoryUid: null,
    action: "setSecret",
    subject: "A",
    status: 200,
    traceId: null,
    address: "127.0.0.1",
  };
}

test("a record is retained for 90 days, however many records there are", async () => {
  const { audit } = await aStore();
  for (let n = 0; n < 120; n += 1) await audit.record(aRecord(91, n));
  for (let n = 0; n < 3; n += 1) await audit.record(aRecord(89, n));
  await pruneAudit({ store: audit, now: () => NOW });
  expect((await audit.list({ limit: 500 })).records).toHaveLength(3);
});

test("every operation that writes declares which answer is its success", () => {
  const text = readFileSync(new URL("../../../schemas/openapi.json", import.meta.url), "utf8");
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  for (const [path, item] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries(item)) {
      const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
      if (method !== "get") expect(successes.length, `${method} ${path}`).toBeGreaterThan(0);
    }
});

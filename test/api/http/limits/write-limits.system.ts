import { describe, expect, test } from "vitest";
import type { components } from "../../../../src/client/api-types.ts";
import { newUuid } from "../../../../src/id.ts";
import { serverWithTokenOfRun } from "../../../given/agent.ts";
import { type Answer, acmeServer, ask, makeKey } from "../../../given/ask.ts";
import { ADMIN_KEY, run, type Server } from "../../../given/server.ts";

type Entry = components["schemas"]["AuditRecord"];

const WRITES_PER_MINUTE = 60;
const RECORDED_REFUSALS = 60;

async function times(count: number, call: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await call(n));
  return answers;
}

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

async function recordsOf(server: Server, mine: (entry: Entry) => boolean): Promise<Entry[]> {
  const { body } = await ask<{ audit_log: Entry[] }>(server, "GET", "/audit-log?limit=500");
  return body.audit_log.filter(mine).reverse();
}

describe("the token of a run", () => {
  test("writes a limited number of times per minute; further calls are told when to retry, and share one record", async () => {
    const { server, id, key } = await serverWithTokenOfRun();
    const report = () =>
      ask(server, "POST", `/agent/runs/${id}/blocked`, { key, body: { message: "Which one?" } });
    expect(statuses(await times(WRITES_PER_MINUTE, report))).toEqual([200]);
    const [refused, ...others] = await times(30, report);
    expect(refused?.body).toMatchObject({
      status: 429,
      detail: `The token of run ${id} has made ${WRITES_PER_MINUTE} write calls within a minute, which is the limit.`,
      remedy:
        "Wait until Retry-After has passed, and send one report instead of many. Reads are not limited.",
    });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(statuses(others)).toEqual([429]);
    expect((await ask(server, "GET", `/agent/runs/${id}`, { key })).status).toBe(200);

    const records = await recordsOf(server, ({ run_id }) => run_id === id);
    expect(records).toHaveLength(WRITES_PER_MINUTE + 1);
    expect(records.at(-1)).toMatchObject({ action: "reportBlocked", status: 429, repeats: 29 });
    expect(records.at(-1)?.last_at).toEqual(expect.any(String));
    expect(records[0]).not.toHaveProperty("repeats");
  });

  test("spends the same limit with calls that it may not make", async () => {
    const { server, id, key } = await serverWithTokenOfRun();
    const forbidden = (n: number) =>
      ask(server, "PUT", `/secrets/S${n}`, { key, body: { value: "x".repeat(100) } });
    expect(statuses(await times(WRITES_PER_MINUTE, forbidden))).toEqual([403]);
    expect(statuses(await times(20, forbidden))).toEqual([429]);
    const link = { artifact_type: "PLAN", data: { title: "A plan" } };
    expect((await ask(server, "POST", `/agent/runs/${id}/artifacts`, { key, body: link })).status).toBe(429);
    const records = await recordsOf(server, ({ run_id }) => run_id === id);
    expect(records).toHaveLength(WRITES_PER_MINUTE + 1);
    expect(records.at(-1)).toMatchObject({ action: "setSecret", status: 429, repeats: 20 });
  });

  test("reports no more than the total of its run, also when it sends everything at the same time", async () => {
    const { server, id, key } = await serverWithTokenOfRun();
    const plan = (n: number) =>
      ask(server, "POST", `/agent/runs/${id}/artifacts`, {
        key,
        body: { artifact_type: "PLAN", data: { title: `Plan ${n}`, content: "x".repeat(250 * 1024) } },
      });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => plan(n)));
    const kept = answers.filter(({ status }) => status === 201);
    expect(kept).toHaveLength(16);
    expect(answers.find(({ status }) => status === 400)?.body.detail).toBe(
      `Run ${id} has reported 4 MiB of artifacts, which is the limit.`,
    );
  });
});

describe("the refused calls of a key", () => {
  test("are recorded one by one, and beyond a limit per minute they are counted on one record", async () => {
    const server = await acmeServer();
    const { key, id } = await makeKey(server, { name: "ann", role: "viewer" });
    const another = await makeKey(server, { name: "bob", role: "viewer" });
    const refused = (n: number) => ask(server, "PUT", `/secrets/S${n}`, { key, body: { value: "x" } });
    expect(statuses(await times(RECORDED_REFUSALS + 40, refused))).toEqual([403]);
    const records = await recordsOf(server, ({ key_id }) => key_id === id);
    expect(records).toHaveLength(RECORDED_REFUSALS + 1);
    expect(records.at(-1)).toMatchObject({ subject: `S${RECORDED_REFUSALS}`, status: 403, repeats: 39 });

    await ask(server, "PUT", "/secrets/A", { key: another.key, body: { value: "x" } });
    expect(await recordsOf(server, ({ key_id }) => key_id === another.id)).toHaveLength(1);
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    expect((await run(["audit", "--limit", "5"], env)).printed).toMatch(
      /ann +setSecret +S60 +403 \(39 more\)/,
    );
  });

  test("are limited too where the handler refuses them", async () => {
    const server = await acmeServer();
    const { key, id } = await makeKey(server, { name: "op", role: "operator" });
    const missing = () => ask(server, "POST", `/agent/runs/${newUuid()}/cancel`, { key });
    expect(statuses(await times(RECORDED_REFUSALS + 20, missing))).toEqual([404]);
    const records = await recordsOf(server, ({ key_id }) => key_id === id);
    expect(records).toHaveLength(RECORDED_REFUSALS + 1);
    expect(records.at(-1)).toMatchObject({ action: "cancelRun", status: 404, repeats: 19 });
  });
});

test("a key signs in a limited number of times per minute, and others still can", async () => {
  const server = await acmeServer();
  const { key } = await makeKey(server, { name: "ann", role: "viewer" });
  const signIn = (api_key: string) =>
    server.fetch("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ api_key }),
    });
  for (let n = 0; n < 30; n += 1) expect((await signIn(key)).status).toBe(201);
  const refused = await signIn(key);
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    429,
    "The key has signed in 30 times within a minute, which is the limit.",
  ]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await signIn(ADMIN_KEY)).status).toBe(201);
});

import { expect, test } from "vitest";
import { acmeServer, ask } from "../../../given/ask.ts";
import { ADMIN_KEY, LOOPBACK_PROXY, type Server } from "../../../given/server.ts";

const BUDGET = 5;
const server = (env: Record<string, string> = {}) =>
  acmeServer({ env: { MILLRACE_FAILED_AUTH_PER_MINUTE: String(BUDGET), ...env } });

async function failures(of: Server, count: number, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await ask(of, "GET", "/factories", { key: `mr_wrong${n}`, headers })).status);
  return statuses;
}

const within = Array.from({ length: BUDGET }, () => 401);

test("an address may fail a limited number of times per minute, and is then told when to retry", async () => {
  const of = await server();
  expect(await failures(of, BUDGET + 2)).toEqual([...within, 429, 429]);
  const { status, headers, body } = await ask(of, "GET", "/factories", { key: "mr_wrong" });
  expect([status, body.type]).toEqual([429, `${of.url}/errors/rate_limited`]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(headers.get("retry-after")).toMatch(/^\d+$/);
});

test("a right key passes whatever its address has used up, and gives nothing back to it", async () => {
  const of = await server();
  await failures(of, BUDGET);
  expect((await ask(of, "GET", "/factories", { key: ADMIN_KEY })).status).toBe(200);
  expect(await failures(of, 1)).toEqual([429]);
});

test.each<[string, string, string, string]>([
  ["a missing key", "GET", "/factories", ""],
  ["a wrong token of a run", "GET", "/agent/runs", "mrt_wrong"],
  ["a wrong key of a call that writes", "PUT", "/secrets/A", "mr_wrong"],
])("%s counts too", async (_, method, path, key) => {
  const of = await server();
  for (let n = 0; n < BUDGET; n += 1) expect((await ask(of, method, path, { key })).status).toBe(401);
  expect((await ask(of, method, path, { key })).status).toBe(429);
  expect(await failures(of, 1)).toEqual([429]);
});

test("a wrong key for the metrics counts, and a right one passes there too", async () => {
  const of = await server();
  const metrics = (key: string) => of.fetch("/metrics", { headers: { authorization: `Bearer ${key}` } });
  for (let n = 0; n < BUDGET; n += 1) expect((await metrics("mr_wrong")).status).toBe(401);
  expect((await metrics("mr_wrong")).status).toBe(429);
  expect((await metrics(ADMIN_KEY)).status).toBe(200);
});

test("failures that come at the same time are counted one by one", async () => {
  const of = await server();
  const answers = await Promise.all(Array.from({ length: 4 * BUDGET }, () => failures(of, 1)));
  expect(answers.flat().filter((status) => status === 401)).toHaveLength(BUDGET);
});

test("behind a trusted proxy each client has a budget of its own", async () => {
  const of = await server(LOOPBACK_PROXY);
  const from = (address: string) => ({ "x-forwarded-for": address });
  expect(await failures(of, BUDGET + 1, from("203.0.113.1"))).toEqual([...within, 429]);
  expect(await failures(of, 1, from("203.0.113.2"))).toEqual([401]);
  expect(await failures(of, BUDGET, from("2001:db8::1"))).toEqual(within);
  expect(await failures(of, 1, from("2001:db8::2"))).toEqual([429]);
});

test("a client's claim about its own address is ignored without a trusted proxy", async () => {
  const of = await server();
  await failures(of, BUDGET, { "x-forwarded-for": "203.0.113.1" });
  expect(await failures(of, 1, { "x-forwarded-for": "203.0.113.2" })).toEqual([429]);
});

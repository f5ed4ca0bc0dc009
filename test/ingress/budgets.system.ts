import { expect, test } from "vitest";
import { FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { freePort } from "../given/port.ts";
import { LOOPBACK_PROXY } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token";

async function serverWith(env: Record<string, string>) {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "webhooks/cd.yaml": TOKEN_WEBHOOK };
  const { server, story } = await serving(files, { CI_SECRET: TOKEN }, { env });
  return { server, story, ci: await story.webhook("ci"), cd: await story.webhook("cd") };
}

const statuses = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

test("a webhook takes a limited number of authenticated deliveries per minute, duplicates and invalid JSON included", async () => {
  const { story, ci, cd } = await serverWith({ MILLRACE_DELIVERIES_PER_MINUTE: "5" });
  const sent = ["{}", "{}", "nonsense", '{"a":1}', `"${"x".repeat(300_000)}"`];
  const taken: number[] = [];
  for (const body of sent) taken.push((await story.deliver(ci.url, TOKEN, body)).status);
  expect(taken).toEqual([202, 202, 400, 202, 413]);
  const refused = await story.deliver(ci.url, TOKEN, '{"a":2}');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({ title: "Too many requests", retryable: true });
  expect(await story.deliveries(ci.uid)).toHaveLength(5);
  expect((await story.deliver(cd.url, TOKEN, "{}")).status).toBe(202);
});

test("failures do not draw on the budget of the honest sender", async () => {
  const { story, ci } = await serverWith({
    MILLRACE_DELIVERIES_PER_MINUTE: "2",
    MILLRACE_FAILED_AUTH_PER_MINUTE: "100",
  });
  await statuses(Array.from({ length: 20 }, () => story.deliver(ci.url, "wrong", "{}")));
  expect((await story.deliver(ci.url, TOKEN, '{"a":1}')).status).toBe(202);
});

test("an address that fails too often is blocked from that webhook, with the right credential too", async () => {
  const { story, ci, cd } = await serverWith({ MILLRACE_FAILED_AUTH_PER_MINUTE: "3" });
  const failed: number[] = [];
  for (let n = 0; n < 5; n += 1) failed.push((await story.deliver(ci.url, "wrong", "{}")).status);
  expect(failed).toEqual([401, 401, 401, 429, 429]);
  expect((await story.deliver(ci.url, TOKEN, "{}")).status).toBe(429);
  expect((await story.deliver(cd.url, TOKEN, "{}")).status).toBe(202);
  expect(await story.deliveries(ci.uid)).toHaveLength(3);
});

test("a signed body that is too large counts as a failed authentication", async () => {
  const { story } = await serving(
    { ...FACTORY, "webhooks/ci.yaml": signatureWebhook("github", "CI_SECRET") },
    { CI_SECRET: TOKEN },
    { env: { MILLRACE_FAILED_AUTH_PER_MINUTE: "2" } },
  );
  const { url } = await story.webhook("ci");
  const large = () => fetch(url, { method: "POST", body: "x".repeat(262_145) }).then(({ status }) => status);
  expect([await large(), await large(), await large()]).toEqual([413, 413, 429]);
});

test("behind a trusted proxy, the failures of one client do not block another", async () => {
  const { story, ci } = await serverWith({
    MILLRACE_FAILED_AUTH_PER_MINUTE: "2",
    ...LOOPBACK_PROXY,
    MILLRACE_TRUST_PROXY: "127.0.0.0/8",
  });
  const from = (address: string, token: string) =>
    story.deliver(ci.url, token, `{"n":${Math.random()}}`, { "x-forwarded-for": `6.6.6.6, ${address}` });
  for (let n = 0; n < 2; n += 1) await from("198.51.100.1", "wrong");
  expect((await from("198.51.100.1", TOKEN)).status).toBe(429);
  expect((await from("198.51.100.2", TOKEN)).status).toBe(202);
  for (let n = 0; n < 2; n += 1) await from(`2001:db8::${n}`, "wrong");
  expect((await from("2001:db8::ffff", TOKEN)).status).toBe(429);
  expect((await from("2001:db8:0:1::1", TOKEN)).status).toBe(202);
});

test("a client's own claim about its address counts for nothing without a trusted proxy", async () => {
  const { story, ci } = await serverWith({ MILLRACE_FAILED_AUTH_PER_MINUTE: "2" });
  const answers: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    answers.push(
      (await story.deliver(ci.url, "wrong", "{}", { "x-forwarded-for": `198.51.100.${n}` })).status,
    );
  }
  expect(answers).toEqual([401, 401, 429, 429]);
});

test("the log takes 60 refusals a minute, and a right credential still passes", async () => {
  const { story, ci } = await serverWith({ MILLRACE_FAILED_AUTH_PER_MINUTE: "100000" });
  const answers = await statuses(Array.from({ length: 200 }, () => story.deliver(ci.url, "wrong", "{}")));
  expect(answers.filter((status) => status === 401)).toHaveLength(60);
  expect(answers.filter((status) => status === 429)).toHaveLength(140);
  expect(await story.deliveries(ci.uid)).toHaveLength(60);
  expect((await story.deliver(ci.url, TOKEN, "{}")).status).toBe(202);
});

test("a listener of its own serves the ingress and nothing else", async () => {
  const port = await freePort();
  const { server, ci } = await serverWith({ MILLRACE_WEBHOOK_LISTEN: `127.0.0.1:${port}` });
  const own = ci.url.replace(server.url, `http://127.0.0.1:${port}`);
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await fetch(own, { method: "POST", body: "{}", headers })).status).toBe(202);
  for (const path of ["/", "/healthz", "/metrics", "/api/v1/factories", "/runs/x"]) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(404);
  }
  expect((await fetch(ci.url, { method: "POST", body: '{"n":1}', headers })).status).toBe(202);
});

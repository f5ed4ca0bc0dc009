import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, LOOPBACK_PROXY, startServer } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const files = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/link.yaml": "authMode: url_token\nsecretName: CI_SECRET\n",
  "automations/a.md": automationOn(["ci"], { go: [true] }),
};

const stage = sharedByFile(async () => {
  const { server, story } = await serving(files, { CI_SECRET: "the-token" });
  return { server, story };
});

test("metrics report what came, what was refused and why, and the state of the server", async () => {
  const { server, story } = stage();
  const { url } = await story.webhook("ci");
  await story.endedRunOf(await story.accept(url, "the-token", '{"go":true}'));
  await story.accept(url, "the-token", '{"go":true}');
  await story.deliver(url, "wrong", "{}");
  await story.deliver(url, "the-token", "nonsense");
  await server.fetch("/webhooks/w/nobody", { method: "POST" });
  await server.fetch(
    `${new URL((await story.webhook("link")).url).pathname.replace("%7Btoken%7D", "")}secret-in-url`,
    { method: "POST" },
  );
  const text = await (await server.metrics()).text();
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  expect(lines).toEqual(
    expect.arrayContaining([
      'millrace_deliveries_total{outcome="Accepted"} 1',
      'millrace_deliveries_total{outcome="Duplicate"} 1',
      'millrace_deliveries_total{outcome="Rejected (invalid JSON)"} 1',
      'millrace_ingress_refusals_total{reason="unknown_webhook"} 1',
      'millrace_ingress_refusals_total{reason="invalid_json"} 1',
      'millrace_runs{state="SUCCEEDED"} 1',
      "millrace_run_queue_depth 0",
      expect.stringMatching(/^millrace_run_list_lag_seconds [\d.]+$/),
      expect.stringMatching(/^millrace_delivery_search_lag_seconds [\d.]+$/),
      'millrace_factory_sync_status{factory="acme",status="synced"} 1',
      "millrace_ingress_accept_seconds_count 2",
    ]),
  );
  expect(text).toMatch(/millrace_factory_sync_age_seconds\{factory="acme",event="applied"\} [\d.]+/);
  expect(text).toMatch(/millrace_store_batch_calls_bucket/);
  expect(text).not.toContain("secret-in-url");
});

test("metrics are given only to a key that reaches the whole server", async () => {
  const { server } = stage();
  const ask = (headers: Record<string, string>) =>
    server.fetch("/metrics", { headers }).then(({ status }) => status);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  // Agents share the network of this server: whatever comes from this machine may be one of them.
  expect(await ask({})).toBe(401);
  expect(await ask({ "x-forwarded-for": "198.51.100.1" })).toBe(401);
  expect(await ask({ "x-forwarded-for": "198.51.100.1", ...bearer(ADMIN_KEY) })).toBe(200);
  expect(await ask(bearer("wrong"))).toBe(401);
  const limited = await server.api<{ key: string }>("POST", "/api-keys", {
    name: "limited",
    factories: ["acme"],
  });
  expect(await ask(bearer(limited.key))).toBe(403);
});

test("metrics are given to this machine without a key where no agent can send from it", async () => {
  const { MILLRACE_TRUST_PROXY: _, ...env } = LOOPBACK_PROXY;
  const server = await startServer({ sources: [folderWith(files)], env });
  expect((await server.fetch("/metrics")).status).toBe(200);
  expect((await server.fetch("/metrics", { headers: { "x-forwarded-for": "198.51.100.1" } })).status).toBe(
    401,
  );
});

test("metrics are given without a key where the settings open them", async () => {
  const server = await startServer({ sources: [folderWith(files)], env: { MILLRACE_PUBLIC_METRICS: "on" } });
  expect((await server.fetch("/metrics")).status).toBe(200);
  expect((await server.fetch("/metrics", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
});

test("behind a trusted proxy a connection from this machine proves nothing", async () => {
  const server = await startServer({
    sources: [folderWith(files)],
    env: LOOPBACK_PROXY,
  });
  expect((await server.fetch("/metrics")).status).toBe(401);
  expect((await server.fetch("/metrics", { headers: { authorization: `Bearer ${ADMIN_KEY}` } })).status).toBe(
    200,
  );
});

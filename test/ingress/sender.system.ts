import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { ADMIN_KEY, LOOPBACK_PROXY, run } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import type { Delivery } from "../given/story.ts";

const TOKEN = "the-token";

test("address, content type, user agent and the event and id headers are kept with every delivery, and nothing else", async () => {
  const { server, story } = await serving(
    { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { CI_SECRET: TOKEN },
    { env: { ...LOOPBACK_PROXY, MILLRACE_TRUST_PROXY: "127.0.0.0/8" } },
  );
  const { url, uid } = await story.webhook("ci");
  const headers = {
    "x-forwarded-for": "198.51.100.7",
    "content-type": "application/json",
    "user-agent": `bad\u0085\u009b31m${"x".repeat(1_000)}`,
    "x-github-event": "issues",
    "x-github-delivery": "an-id",
    cookie: "a=secret-cookie",
    "x-other": "secret-header",
  };
  const id = await story.accept(url, TOKEN, "{}", headers);
  await story.accept(url, TOKEN, "{}", headers);
  await story.deliver(url, "wrong", "{}", headers);
  const sender = {
    address: "198.51.100.7",
    content_type: "application/json",
    user_agent: `bad\\u0085\\u009b31m${"x".repeat(192)}…`,
    headers: { "x-github-event": "issues", "x-github-delivery": "an-id" },
  };
  const all = await story.deliveries(uid);
  expect(all.map((delivery) => [delivery.outcome, delivery.sender])).toEqual([
    ["Rejected (auth)", sender],
    ["Duplicate", sender],
    ["Accepted", sender],
  ]);
  expect(JSON.stringify(all)).not.toMatch(/secret-|the-token|wrong/);
  const factory = (await story.factory()).uid;
  const again = await server.api<Delivery>("POST", `/factories/${factory}/deliveries/${id}/redeliver`);
  expect(again).toMatchObject({ redelivery_of: id, sender: null });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await run(["deliveries", "show", id], env);
  expect(printed).toMatch(/^sender: +198\.51\.100\.7$/m);
  expect(printed).toMatch(/^headers: +x-github-event: issues$/m);
});

import { expect, test } from "vitest";
import { listOperations } from "../../../src/api/document.ts";
import { aKey, ask } from "../../given/ask.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../given/definition.ts";
import type { Server } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

const TOKEN = "a".repeat(32);

/** Some of what a key of the whole server sees change. */
const SEEN_BY_ALL = [
  ...[
    "/activity",
    "/activity/history",
    "/activity/factories",
    "/agent/identities",
    "/agent/runs",
    "/api-keys",
  ],
  ...["/audit-log", "/deliveries", "/pauses", "/secrets", "/workers", "/workers/demand"],
];

/** A stream, whose ids have a test of their own. */
const NOT_ASKED = ["/events"];

/** Every path that can be read without naming more than a factory. */
function readable(): string[] {
  const paths = listOperations()
    .filter(({ method }) => method === "get")
    .map(({ path }) => path.replace(/^(\/factor(?:y|ies))\/\{[^}]+\}/, "$1/acme"))
    .filter((path) => !path.includes("{") && !NOT_ASKED.includes(path));
  return [...new Set(paths)];
}

/** What is of the request itself or of the present, and spans of time in which nothing was counted. */
const PASSING = [
  /"(?:trace_id|as_of|since|until|last_used_at|last_seen_at|next_fire_at)":"[^"]*",?/g,
  /\{"at":"[^"]*"(?:,"[a-z_]+":0)+\},?/g,
  /,(?=\])/g,
];

async function answers(server: Server, key: string, run: string) {
  const all: Record<string, string> = {};
  for (const path of [...readable(), `/agent/runs/${run}`, `/agent/runs/${run}/agents`]) {
    const { status, body } = await ask<object>(server, "GET", path, { key });
    const text = `${status} ${JSON.stringify(body)}`;
    all[path] = PASSING.reduce((told, passing) => told.replace(passing, ""), text);
  }
  return all;
}

test("no answer to a key of one factory changes with what others do", async () => {
  const { server, acme, other } = await twoFactories(
    { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) },
    { secrets: { CI_SECRET: TOKEN } },
  );
  const limited = await aKey(server, { role: "admin", factories: [acme] });
  const unlimited = await aKey(server, { role: "admin" });
  const start = async (factory: string) =>
    (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Wait.", factory })).run_id;
  await server.api("POST", "/pauses", { factory: acme, reason: "Wait." });
  const run = await start(acme);
  const before = await answers(server, limited, run);
  const allBefore = await answers(server, unlimited, run);

  await server.api("POST", "/pauses", { factory: other, reason: "Wait." });
  for (let n = 0; n < 3; n += 1) await start(other);
  const { webhooks } = await server.api<{ webhooks: { url: string }[] }>(
    "GET",
    `/factories/${other}/webhooks`,
  );
  for (const token of [TOKEN, "wrong"])
    await fetch(webhooks[0]?.url ?? "", {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: "{}",
    });
  await server.api("POST", "/agent/identities", { name: "of-nobody" });
  await server.api("PUT", "/secrets/OF_OTHER", { value: "x".repeat(20), factories: [other] });
  await server.api("POST", "/workers", { name: "somebody" });
  await aKey(server, { role: "viewer", factories: [other] });

  const allAfter = await answers(server, unlimited, run);
  const changed = Object.keys(allAfter).filter((path) => allAfter[path] !== allBefore[path]);
  expect(changed).toEqual(expect.arrayContaining(SEEN_BY_ALL));
  expect(await answers(server, limited, run)).toEqual(before);
});

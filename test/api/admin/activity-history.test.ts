import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

type Models = components["schemas"];
type Counts = Models["ActivityCounts"];

/** The factories acme and other, each with a failed run, a duplicate and a rejected delivery. */
async function busyFactories() {
  const given = await twoFactories(
    {
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "automations/fix/automation.md": automationOn(["ci"], {}, "Fix it."),
    },
    { secrets: { CI_SECRET: "the-token" }, agent: "process.exit(1)" },
  );
  for (const factory of ["acme", "other"]) {
    const { body } = await ask<Models["WebhookList"]>(given.server, "GET", `/factories/${factory}/webhooks`);
    const url = body.webhooks[0]?.url ?? "";
    for (const token of ["the-token", "the-token", "wrong"])
      await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: '{"n":1}' });
  }
  await waitFor(async () => {
    const { body } = await ask<Models["ListRunsResponse"]>(given.server, "GET", "/agent/runs?state=FAILED");
    return body.runs.length === 2 || undefined;
  });
  return given;
}

const busy = sharedByFile(busyFactories);

function totals(buckets: readonly Counts[]) {
  const sum = (of: (counts: Counts) => number) => buckets.reduce((total, each) => total + of(each), 0);
  return {
    accepted: sum((each) => each.accepted),
    duplicates: sum((each) => each.duplicates),
    rejected: sum((each) => each.rejected),
    runs: sum((each) => each.runs),
    runs_failed: sum((each) => each.runs_failed),
    runs_succeeded: sum((each) => each.runs_succeeded),
  };
}

const OF_ONE = { accepted: 1, duplicates: 1, rejected: 1, runs: 1, runs_failed: 1, runs_succeeded: 0 };
const OF_BOTH = { accepted: 2, duplicates: 2, rejected: 2, runs: 2, runs_failed: 2, runs_succeeded: 0 };

test("each range has its buckets, and a key has the counts of its factories alone", async () => {
  const { server, acme } = busy();
  const key = await aKey(server, { factories: [acme] });
  const history = async (query: string, options = {}) =>
    (await ask<Models["ActivityHistory"]>(server, "GET", `/activity/history${query}`, options)).body;
  for (const [range, seconds, count] of [
    ["1h", 60, 60],
    ["24h", 3_600, 24],
    ["7d", 3_600, 168],
    ["30d", 86_400, 30],
  ] as const) {
    const { bucket_seconds, buckets } = await history(`?range=${range}&utc_offset=2`);
    expect([bucket_seconds, buckets.length]).toEqual([seconds, count]);
    expect(totals(buckets)).toEqual(OF_BOTH);
    expect(totals((await history(`?range=${range}`, { key })).buckets)).toEqual(OF_ONE);
    expect(totals((await history(`?range=${range}&factory=other`)).buckets)).toEqual(OF_ONE);
  }
  expect((await ask(server, "GET", "/activity/history?factory=other", { key })).status).toBe(404);
  expect((await ask(server, "GET", "/activity/history?range=1y")).status).toBe(400);
});

test("each factory that a key reaches has its open runs and its last day in one answer", async () => {
  const { server, acme } = busy();
  const key = await aKey(server, { factories: [acme], role: "viewer" });
  const list = async (options = {}) =>
    (await ask<Models["FactoryActivityList"]>(server, "GET", "/activity/factories", options)).body.factories;
  const day = {
    accepted: 1,
    duplicates: 1,
    rejected: 1,
    runs: 1,
    runs_failed: 1,
    over_budget: 0,
    blocked: 0,
  };
  const expected = { runs_waiting: 0, runs_in_progress: 0, runs_blocked: 0, last_24_hours: day };
  expect((await list()).map(({ factory }) => factory).sort()).toEqual(["acme", "other"]);
  expect(await list({ key })).toMatchObject([{ uid: acme, factory: "acme", ...expected }]);
});

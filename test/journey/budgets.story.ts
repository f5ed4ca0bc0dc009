import { expect, test } from "vitest";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { sourceFor } from "../given/source-for.ts";
import { heldModel, spendingAgent } from "../given/spending-agent.ts";
import { storyOf } from "../given/story.ts";
import { tellingHarness } from "../given/telling-harness.ts";

const TOKEN = "the-token-of-the-webhook";
const RUNS = 50;
const USD_PER_CALL = 0.03;
/** Every run in progress may make one call beyond the budget, and no other. */
const MAX_USD = 1 + RUNS * USD_PER_CALL;
/** So many of their first calls are within the budget. */
const WITHIN = Math.floor(1 / USD_PER_CALL);

const factoryWith = (budget: string) => ({
  ...withFactoryLines(`millrace: { repositories: optional, budget: ${budget} }\n`),
  "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: { type: told }\n---\nWork.\n",
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
});

/** A server whose agents call a model, which answers as many first and second calls as it is told to. */
async function spending(budget: string, { lastCall = 2 } = {}) {
  const dataDir = temporaryFolder();
  const source = sourceFor(factoryWith(budget), { sharesProcess: false });
  const open = { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY };
  const answered = { first: 0, later: 0 };
  const url = await heldModel((call) => {
    const kind = call === 1 ? "first" : "later";
    // The others are still in progress when their runs are ended.
    if (call > lastCall || answered[kind] >= open[kind]) return false;
    answered[kind] += 1;
    return true;
  });
  const options = {
    sources: [source],
    dataDir,
    sharesProcess: false,
    env: { MILLRACE_RUN_CONCURRENCY: String(RUNS + 5) },
    args: tellingHarness("claude", spendingAgent(url, USD_PER_CALL)),
  };
  return {
    open,
    answered,
    usdOfAnswered: () => (answered.first + answered.later) * USD_PER_CALL,
    async start() {
      const server = await startServer(options);
      const story = storyOf(server);
      await story.setSecret("CI_SECRET", TOKEN);
      await story.sync();
      const used = async () =>
        (await server.api<{ budget: { used: { usdPerDay: number } } }>("GET", "/factories/acme")).budget.used
          .usdPerDay;
      const countEnded = async (ids: readonly string[]) => {
        const runs = await Promise.all(ids.map((id) => story.run(id)));
        return runs.filter(({ state }) => state === "FAILED").length;
      };
      return { server, story, used, countEnded };
    },
  };
}

const create = (server: { api<Answer>(method: string, path: string, body?: unknown): Promise<Answer> }) =>
  server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Work." }).then(({ run_id }) => run_id);

test("50 runs at once under a budget of $1 for the day end at most one call each above it, and others wait", async () => {
  const { open, answered, usdOfAnswered, start } = await spending("{ usdPerDay: 1 }");
  open.later = 0;
  const { server, story, used, countEnded } = await start();
  const ids = await Promise.all(Array.from({ length: RUNS }, () => create(server)));
  await waitFor(async () => (await countEnded(ids)) === RUNS - WITHIN, 120);
  expect(await used()).toBeCloseTo(RUNS * USD_PER_CALL);
  open.later = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    expect(await story.ended(id, 120)).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "budget_exceeded",
        message: expect.stringMatching(/^The runs of the factory acme have used \$.* in the last 24 hours/),
      },
    });
  }
  expect(answered.first).toBe(RUNS);
  expect(usdOfAnswered()).toBeLessThanOrEqual(MAX_USD);
  const late = await create(server);
  const { state, waiting } = await waitFor(async () => {
    const run = await story.run(late);
    return run.waiting?.reason === "budget" ? run : undefined;
  });
  expect(state).toBe("QUEUED");
  expect(waiting?.message).toMatch(/has used \$.* of \$1\.00 in the last 24 hours .* start again at /);
  expect(await server.stop()).toBe(0);
});

test("a server that is killed while they work changes nothing about that", async () => {
  const { open, answered, usdOfAnswered, start } = await spending("{ usdPerDay: 1 }");
  Object.assign(open, { first: RUNS / 2, later: 0 });
  const before = await start();
  const ids = await Promise.all(Array.from({ length: RUNS }, () => create(before.server)));
  await waitFor(async () => (await before.used()) > (RUNS / 2 - 0.5) * USD_PER_CALL, 60);
  await before.server.kill();
  open.first = RUNS;
  // What agents use while no server is there is counted by the next one.
  await waitFor(() => answered.first === RUNS, 60);
  const { server, story, countEnded } = await start();
  await waitFor(async () => (await countEnded(ids)) >= RUNS - WITHIN, 120);
  open.later = Number.POSITIVE_INFINITY;
  const ends = [];
  for (const id of ids) ends.push(await story.ended(id, 120));
  expect(ends.map(({ state, status_message }) => [state, status_message?.error_code])).toEqual(
    ids.map(() => ["FAILED", "budget_exceeded"]),
  );
  expect(usdOfAnswered()).toBeLessThanOrEqual(MAX_USD);
  expect(await server.stop()).toBe(0);
});

test("skip ends further runs at once with the reason, which the explanation of their delivery shows", async () => {
  const { start } = await spending("{ runsPerDay: 1, usdPerRun: 0.1, onExhausted: skip }", { lastCall: 4 });
  const { server, story } = await start();
  const first = await create(server);
  expect(await story.ended(first)).toMatchObject({
    state: "FAILED",
    status_message: { error_code: "budget_exceeded" },
  });
  const delivery = await story.accept(await story.urlOf("ci"), TOKEN, "{}");
  const skipped = await story.endedRunOf(delivery);
  expect(skipped).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "budget_exceeded",
      message: expect.stringContaining("has started 1 of 1 run in the last 24 hours (runsPerDay)"),
    },
  });
  const explained = await server.api<{ automations: object[] }>(
    "GET",
    `/factories/acme/deliveries/${delivery}/explain`,
  );
  expect(explained.automations).toMatchObject([{ name: "a", skipped: skipped.status_message?.message }]);
  expect(await server.stop()).toBe(0);
});

import { describe, expect, test } from "vitest";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { sourceFor } from "../given/serving.ts";
import { heldModel, silentlySpendingAgent, spendingAgent } from "../given/spending-agent.ts";
import { storyOf } from "../given/story.ts";
import { tellingHarness } from "../given/telling-harness.ts";

const TOKEN = "the-token-of-the-webhook";
const RUNS = 16;
const USD_PER_CALL = 0.1;
/** Every run in progress may make one call beyond the budget, and no other. */
const MAX_USD = 1 + RUNS * USD_PER_CALL;
/** So many of their first calls are within the budget. */
const WITHIN = Math.floor(1 / USD_PER_CALL);

/** Who counts what agents use: their own reports, or the proxy through which they reach the model. */
type Counted = "reports" | "proxy";

const factoryWith = (millrace: object, secrets: string) => ({
  ...withFactoryLines(`millrace: ${JSON.stringify({ repositories: "optional", ...millrace })}\n`),
  "agents/boss/agent.md": `---\nagentType: FOREMAN\nharness: { type: told }\n${secrets}---\nWork.\n`,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
});

/** The factory whose agents call a model at a URL, and the arguments of its server. */
function workingFactory(counted: Counted, budget: object, url: string) {
  if (counted === "reports")
    return {
      files: factoryWith({ budget }, ""),
      env: {},
      args: tellingHarness("claude", spendingAgent(url, USD_PER_CALL)),
    };
  const network = { allow: [new URL(url).host] };
  return {
    files: factoryWith({ budget, network }, "secrets: [MODEL_KEY]\n"),
    env: { MILLRACE_SANDBOX: "bwrap" },
    args: tellingHarness("text", silentlySpendingAgent(), {
      keyVariables: ["MODEL_KEY"],
      keyService: { url, baseUrl: "MODEL_URL" },
    }),
  };
}

/** A server whose agents call a model, which answers as many first and second calls as it is told to. */
async function spending(
  budget: object,
  { lastCall = 2, counted = "reports" }: { lastCall?: number; counted?: Counted } = {},
) {
  const dataDir = temporaryFolder();
  const open = { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY };
  const answered = { first: 0, later: 0 };
  const calling = new Set<string>();
  const url = await heldModel((call, run) => {
    calling.add(run);
    const kind = call === 1 ? "first" : "later";
    // The others are still in progress when their runs are ended.
    if (call > lastCall || answered[kind] >= open[kind]) return false;
    answered[kind] += 1;
    return true;
  }, USD_PER_CALL);
  const { files, env, args } = workingFactory(counted, budget, url);
  const options = {
    sources: [sourceFor(files, { sharesProcess: false })],
    dataDir,
    sharesProcess: false,
    env: { MILLRACE_RUN_CONCURRENCY: String(RUNS + 5), ...env },
    args,
  };
  return {
    open,
    answered,
    calling,
    usdOfAnswered: () => (answered.first + answered.later) * USD_PER_CALL,
    async start() {
      const server = await startServer(options);
      const story = storyOf(server);
      await story.setSecret("CI_SECRET", TOKEN);
      if (counted === "proxy") await story.setSecret("MODEL_KEY", "the-key-of-the-model");
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

describe.each<Counted>(["reports", "proxy"])("where what agents use is counted by %s", (counted) => {
  test("16 runs at once under a budget of $1 for the day end at most one call each above it, and others wait", async () => {
    const { open, answered, usdOfAnswered, start } = await spending({ usdPerDay: 1 }, { counted });
    open.later = 0;
    const { server, story, used, countEnded } = await start();
    const ids = await Promise.all(Array.from({ length: RUNS }, () => create(server)));
    // A proxy can tell once more when a program connects for its next call, and so hear that the budget is used up by then.
    const areThose = (ended: number) =>
      counted === "reports" ? ended === RUNS - WITHIN : ended >= RUNS - WITHIN;
    await waitFor(async () => areThose(await countEnded(ids)), 120);
    await waitFor(async () => (await used()) > (RUNS - 0.5) * USD_PER_CALL, 60);
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
    const { open, answered, calling, usdOfAnswered, start } = await spending({ usdPerDay: 1 }, { counted });
    Object.assign(open, { first: RUNS / 2, later: 0 });
    const before = await start();
    const ids = await Promise.all(Array.from({ length: RUNS }, () => create(before.server)));
    await waitFor(async () => (await before.used()) > (RUNS / 2 - 0.5) * USD_PER_CALL, 60);
    // A run is INPROGRESS before its program exists, and one that has none yet would not call while no server is there.
    await waitFor(() => calling.size === RUNS, 60);
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
});

test("skip ends further runs at once with the reason, which the explanation of their delivery shows", async () => {
  const { start } = await spending({ runsPerDay: 1, usdPerRun: 0.1, onExhausted: "skip" }, { lastCall: 4 });
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

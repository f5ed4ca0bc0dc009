import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines, withMillrace } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import { tellingHarness } from "../../given/telling-harness.ts";

/** Tells in each turn, as claude does, that a model was used for a quarter of a dollar; then it works on, or ends well. */
const agentThat = (then: "works on" | "ends") => `
const modelUsage = { opus: { inputTokens: 100, outputTokens: 20, costUSD: 0.25 } };
console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" }));
console.log(JSON.stringify({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, modelUsage }));
${then === "works on" ? "setInterval(() => {}, 1000);" : ""}`;

/** Says what claude says of a call of a model, without its cost. */
const TELLS_NO_COST = (model: string) => `
const usage = { input_tokens: 1000, output_tokens: 10 };
console.log(JSON.stringify({ type: "assistant", message: { id: "m", model: "${model}", usage, content: [] } }));
setInterval(() => {}, 1000);`;

async function serverOf(program: string, factoryBudget?: string) {
  const block = factoryBudget === undefined ? "" : `, budget: ${factoryBudget}`;
  const files = withFactoryLines(`millrace: { repositories: optional${block} }\n`);
  const given = await serverWithAgent("", { args: tellingHarness("claude", program), files });
  const run = (budget: object | undefined, config: object = {}) =>
    given.run({ config: { harness: { type: "told" }, ...config, ...(budget ? { budget } : {}) } });
  return { ...given, run };
}

const ended = (message: unknown) => ({
  state: "FAILED",
  status_message: { error_code: "budget_exceeded", retryable: false, message },
});

describe("a run with a budget", () => {
  test("is ended when it has used more, with its answer and the reason", async () => {
    const { run, server } = await serverOf(agentThat("works on"));
    const over = await run({ usdPerRun: 0.2 });
    expect(over).toMatchObject(
      ended(
        "The run has used $0.25, and its request limits it to $0.20 (usdPerRun). Raise the budget, or give the agent a smaller task.",
      ),
    );
    expect(over.transcript).toContain("The run has used $0.25");
    expect(over.agent_config).toMatchObject({ budget: { usdPerRun: 0.2 } });
    expect(await run({ tokensPerRun: 100 })).toMatchObject(
      ended(expect.stringContaining("The run has used 120 tokens, and its request limits it to 100 tokens")),
    );
    expect(server.log()).not.toContain('"level":50');
  });

  test("counts all turns of a run, and begins none once it has used more", async () => {
    const { run, server, story } = await serverOf(agentThat("ends"));
    const { run_id, state } = await run({ usdPerRun: 0.4 });
    expect(state).toBe("SUCCEEDED");
    const more = async () => {
      await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "More." });
      return story.ended(run_id);
    };
    expect(await more()).toMatchObject(ended(expect.stringContaining("has used $0.50")));
    expect(await more()).toMatchObject(ended(expect.stringContaining("has used $0.50")));
    const { turns } = (
      await server.api<{ usage: { turns: object[] } }>("GET", `/agent/runs/${run_id}/harness-usage`)
    ).usage;
    expect(turns).toHaveLength(2);
  });

  test("is limited by its agent and its automation as well, the tightest limit first", async () => {
    const files = {
      ...withFactoryLines("millrace: { repositories: optional, budget: { usdPerRun: 5 } }\n"),
      "agents/boss/agent.md":
        "---\nagentType: FOREMAN\nharness: { type: told }\nmillrace: { budget: { usdPerRun: 0.2 } }\n---\nWork.\n",
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "automations/a.md": withMillrace(automationOn(["ci"]), "{ budget: { usdPerRun: 0.1, runsPerDay: 1 } }"),
    };
    const { run, server, story } = await serverWithAgent("", {
      args: tellingHarness("claude", agentThat("works on")),
      files,
    });
    await story.setSecret("CI_SECRET", "the-token-of-the-webhook");
    await story.sync();
    expect(await run()).toMatchObject(
      ended(expect.stringContaining("the agent boss limits each run to $0.20")),
    );
    const deliver = async (n: number) =>
      story.accept(await story.urlOf("ci"), "the-token-of-the-webhook", `{"n":${n}}`);
    expect(await story.endedRunOf(await deliver(1))).toMatchObject(
      ended(expect.stringContaining("the automation a limits each run to $0.10")),
    );
    const { run_ids } = await story.delivery(await deliver(2));
    await waitFor(async () => (await story.run(run_ids[0] ?? "")).waiting?.reason === "budget");
    expect(await server.api("GET", "/factories/acme/automations/a")).toMatchObject({
      budget: { usdPerRun: 0.1, runsPerDay: 1, used: { runsPerDay: 1 }, opens_at: expect.any(String) },
    });
  });

  test("in dollars does not begin with a model without a price, and ends when it uses one", async () => {
    const { run } = await serverOf(TELLS_NO_COST("unheard-of"));
    expect(await run({ usdPerRun: 5 }, { model_id: "claimed" })).toMatchObject(
      ended(expect.stringContaining("the price of the model claimed is not known. Set it under prices:")),
    );
    // Of a model that its program chooses, what that reports counts.
    expect(await run({ usdPerRun: 5 }, { model_id: "auto" })).toMatchObject(
      ended(expect.stringContaining("the price of the model unheard-of is not known")),
    );
    expect(await run({ usdPerRun: 5 })).toMatchObject(
      ended(expect.stringContaining("the price of the model unheard-of is not known")),
    );
  });

  test("is held against the list of prices where its program tells no cost", async () => {
    const { run } = await serverOf(TELLS_NO_COST("claude-haiku-4-5"));
    expect(await run({ usdPerRun: 0.001 })).toMatchObject(
      ended(expect.stringContaining("The run has used $0.00105")),
    );
  });

  test("cannot ask for more than a run can keep to", async () => {
    const { server } = await serverOf(agentThat("ends"));
    for (const budget of [
      {},
      { usdPerRun: 0 },
      { tokensPerRun: 1.5 },
      { usdPerDay: 1 },
      { usdPerRun: "1" },
    ]) {
      const body = { prompt: "Do it.", config: { budget } };
      expect((await ask(server, "POST", "/agent/run", { body })).status).toBe(400);
    }
  });
});

test("the day of a factory is shown with what is used of it", async () => {
  const { run, server } = await serverOf(agentThat("ends"), "{ usdPerDay: 0.25, tokensPerRun: 1000 }");
  const budgetOf = async () => (await server.api<{ budget: object }>("GET", "/factories/acme")).budget;
  const limits = { usdPerDay: 0.25, tokensPerRun: 1_000, onExhausted: "wait" };
  expect(await budgetOf()).toEqual({ ...limits, used: { usdPerDay: 0, runsPerDay: 0 }, opens_at: null });
  expect((await run(undefined)).state).toBe("SUCCEEDED");
  expect(await budgetOf()).toEqual({
    ...limits,
    used: { usdPerDay: 0.25, runsPerDay: 1 },
    opens_at: expect.any(String),
  });
});

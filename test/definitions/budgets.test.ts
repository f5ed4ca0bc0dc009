import { describe, expect, test } from "vitest";
import { pricesAreKnown } from "../../src/definitions/rules/budget-rules.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { runCaps } from "../../src/runs/caps.ts";
import { automationWith, FACTORY, load, problemsOf, withFactoryLines } from "../given/definition.ts";

const TRIGGERS = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";

/** A tree whose factory, foreman and automation each have a millrace block. */
const blocks = ({
  factory = "{ pruneGuard: warn }",
  agent = "{ children: 1 }",
  automation = "{ missed: skip }",
}) => ({
  ...withFactoryLines(`millrace: ${factory}\n`),
  "agents/boss/agent.md": `---\nagentType: FOREMAN\nmillrace: ${agent}\n---\nYou do the work.\n`,
  "automations/daily.md": automationWith(`millrace: ${automation}\n${TRIGGERS}`),
});

describe("budget: in a millrace block", () => {
  test("is part of a factory, an agent and an automation, as its file says", async () => {
    const { definition } = await load(
      blocks({
        factory: "{ budget: { usdPerDay: 20.5, onExhausted: skip } }",
        agent: "{ budget: { usdPerRun: 1, tokensPerRun: 100000 } }",
        automation: "{ budget: { runsPerDay: 5 } }",
      }),
    );
    expect(definition?.factory.budget).toEqual({ usdPerDay: 20.5, onExhausted: "skip" });
    expect(definition?.agents[0]?.budget).toEqual({ usdPerRun: 1, tokensPerRun: 100_000 });
    expect(definition?.automations[0]?.budget).toEqual({ runsPerDay: 5 });
  });

  test.each([
    ["nothing", "{}"],
    ["a limit of nothing", "{ usdPerRun: 0 }"],
    ["less than nothing", "{ usdPerDay: -1 }"],
    ["a number without an end", "{ usdPerDay: .inf }"],
    ["half a run", "{ runsPerDay: 1.5 }"],
    ["half a token", "{ tokensPerRun: 0.5 }"],
    ["a text", '{ usdPerRun: "1" }'],
    ["another key", "{ usdPerMonth: 1 }"],
    ["another way to go on", "{ usdPerDay: 1, onExhausted: stop }"],
  ])("cannot say %s", async (_, budget) => {
    for (const of of ["factory", "agent", "automation"] as const) {
      const found = (await load(blocks({ [of]: `{ budget: ${budget} }` }))).problems;
      expect(found.filter(({ severity }) => severity === "error")).not.toEqual([]);
    }
  });

  test("says what becomes of further runs only with a limit that they wait for", async () => {
    const found = await problemsOf(blocks({ agent: "{ budget: { usdPerRun: 1, onExhausted: skip } }" }));
    expect(found).toEqual(["FF_INVALID_VALUE agents/boss/agent.md:3:50"]);
    expect(await problemsOf(blocks({ agent: "{ budget: { runsPerDay: 1, onExhausted: skip } }" }))).toEqual(
      [],
    );
  });
});

test("the budgets of active definitions are known by the uids of what they are of", async () => {
  const { definition } = await load(blocks({ agent: "{ budget: { usdPerRun: 1 } }" }));
  const active = { definition, uidOf: (kind: string, name: string) => `${kind}/${name}` };
  const factory = { record: { uid: "f" }, active } as unknown as Factory;
  expect(runCaps([factory]).budgets).toEqual({ "agent/boss": { kind: "agent", name: "boss", usdPerRun: 1 } });
  const without = await load(FACTORY);
  expect(runCaps([{ ...factory, active: { ...active, ...without } } as unknown as Factory]).budgets).toEqual(
    {},
  );
});

test("a model without a price is reported where a budget in US dollars counts what it costs", async () => {
  const reported = async (files: Parameters<typeof load>[0], isThere = (_: string) => false) =>
    pricesAreKnown(await load(files), isThere).map(
      ({ path, line, severity }) => `${severity} ${path}:${line}`,
    );
  expect(await reported(blocks({ agent: "{ budget: { usdPerRun: 1 } }" }))).toEqual([
    "warning factory.yaml:4",
  ]);
  expect(await reported(blocks({ factory: "{ budget: { usdPerDay: 1 } }" }))).toEqual([
    "warning factory.yaml:4",
  ]);
  expect(await reported(blocks({ agent: "{ budget: { tokensPerRun: 1 } }" }))).toEqual([]);
  expect(await reported(blocks({ agent: "{ budget: { usdPerRun: 1 } }" }), () => true)).toEqual([]);
});

import { expect, test } from "vitest";
import type { Factories } from "../../../src/reconcile/factories.ts";
import type { Factory } from "../../../src/reconcile/running-factory.ts";
import { repeatedRun } from "../../../src/runs/start/run-again.ts";
import { aSchedule, at, clockwork, every, onSchedule } from "../../given/clockwork.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { aFactory } from "../../given/served.ts";

const ANN = { uid: "ann", type: "user", displayName: "Ann" } as const;
const WITH_SECRETS = withFactoryLines("secrets: [AGENT_SECRET]\n");
const EVERY_HOUR = { ...onSchedule(every("@hourly", "nightly")), ...WITH_SECRETS };

/** The ended run of something that is due every hour, and how it is repeated while a factory is in force. */
async function firedRun(
  factory: Factory,
  prepare?: (world: Awaited<ReturnType<typeof clockwork>>) => unknown,
) {
  const world = await clockwork([factory]);
  await prepare?.(world);
  await world.look("01:00:02");
  const [waiting] = await world.runs();
  await world.store.runs.cancel(waiting?.id ?? "", at("01:01"));
  const fired = (await world.runs())[0] ?? expect.unreachable();
  const deps = {
    runs: world.store.runs,
    factories: { list: () => world.factories } as Factories,
    identities: world.store.identities,
    environments: world.store.environments,
    hasHarness: () => true,
  };
  return { world, fired, repeat: async () => (await repeatedRun(fired, ANN, deps)).run };
}

test("the run of an automation's schedule keeps its factory, agent, schedule and secrets", async () => {
  const { fired, repeat } = await firedRun(await aFactory(EVERY_HOUR, { at: at("00:00") }));
  const run = await repeat();
  expect(run).toMatchObject({
    factoryUid: "f",
    automationUid: "f-automation-a",
    agentUid: "f-agent-boss",
    source: "SCHEDULED_AGENT",
    scheduleId: "f-automation-a:nightly",
    schedule: { name: "nightly", cron: "@hourly" },
    creator: ANN,
    executor: { displayName: "boss" },
    execution: { secrets: ["AGENT_SECRET"] },
    rerun: { of: fired.id, deliveryId: null },
  });
  expect(run.prompt).toBe(
    `Do something about it.\n\n---\nThis run repeats the run ${fired.id}, which was started by the schedule "nightly" (@hourly, in UTC) at ${fired.createdAt}.`,
  );
});

test("the run of a schedule of the API keeps its prompt, schedule and secrets", async () => {
  const factory = await aFactory(EVERY_HOUR, { at: at("00:00") });
  const { fired, repeat } = await firedRun(await withoutTriggers(factory), (world) =>
    world.store.schedules.create(aSchedule({ factoryUid: "f" })),
  );
  expect(await repeat()).toMatchObject({
    factoryUid: "f",
    automationUid: null,
    title: "hourly",
    prompt: fired.prompt,
    schedule: { name: "hourly", cron: "@hourly" },
    execution: { secrets: ["AGENT_SECRET"] },
  });
});

test("a run whose factory or agent is gone is not repeated, and the refusal says so", async () => {
  const factory = await aFactory(EVERY_HOUR, { at: at("00:00") });
  const { world, repeat } = await firedRun(factory);
  world.serve();
  await expect(repeat()).rejects.toThrow(/its factory was deleted/);
  const { "agents/boss/agent.md": boss = "", ...others } = WITH_SECRETS;
  const renamed = { ...others, "agents/chief/agent.md": boss };
  world.serve(await aFactory(renamed, { at: at("02:00"), before: factory }));
  await expect(repeat()).rejects.toThrow('its agent "boss" no longer exists');
});

/** The same factory, whose automation is never due. */
function withoutTriggers(before: Factory): Promise<Factory> {
  return aFactory({ ...onSchedule(every("@yearly")), ...WITH_SECRETS }, { at: at("00:00"), before });
}

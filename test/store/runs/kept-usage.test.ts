import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { aStoreOf, usageOf, usedRun } from "../../given/factory.ts";
import { aRun, aStore, LEASE } from "../../given/store.ts";

const AT = "2026-11-21T10:00:00.000Z";
const LATER = "2026-11-21T10:05:00.000Z";

/** A run in its first turn, and what can be told of it. */
async function atWork() {
  const { runs, connection } = await aStoreOf("f");
  const { id } = await runs.create(aRun({ factoryUid: "f", automationUid: "a", agentUid: "g" }), AT);
  const [claimed] = await runs.claim(1, LEASE, AT);
  const ticket = { id, ticket: claimed?.ticket ?? 0 };
  await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
  const models = async () =>
    ((await runs.listUsage([id]))[id] ?? []).map(({ model, inputTokens, source }) => {
      return [model, inputTokens, source];
    });
  return { id, runs, connection, ticket, models };
}

describe("the usage of a turn", () => {
  test("is what was told last, with where its cost comes from", async () => {
    const { id, runs, ticket } = await atWork();
    await runs.keepUsage(ticket, [usageOf("early", 100)], "harness", AT);
    const priced = { ...usageOf("opus", 20, 0.5), costSource: "priced" as const };
    await runs.keepUsage(ticket, [priced, usageOf("haiku", 10)], "harness", LATER);
    const of = { turn: 1, source: "harness", reportedAt: LATER };
    expect(await runs.listUsage([id])).toEqual({
      [id]: [
        { ...of, ...usageOf("haiku", 10) },
        { ...of, ...priced },
      ],
    });
  });

  test("is what was measured, as long as its program tells nothing", async () => {
    const { runs, ticket, models } = await atWork();
    await runs.keepUsage(ticket, [usageOf("measured", 100)], "proxy", AT);
    await runs.keepUsage(ticket, [usageOf("measured", 200)], "proxy", AT);
    expect(await models()).toEqual([["measured", 200, "proxy"]]);
  });

  test("is the larger of what its program tells and what was measured: an agent could tell less than it uses", async () => {
    const { runs, ticket, models } = await atWork();
    await runs.keepUsage(ticket, [usageOf("measured", 100)], "proxy", AT);
    await runs.keepUsage(ticket, [usageOf("told", 10)], "harness", AT);
    expect(await models()).toEqual([["measured", 100, "proxy"]]);
    await runs.keepUsage(ticket, [usageOf("told", 100)], "harness", AT);
    expect(await models()).toEqual([["told", 100, "harness"]]);
    await runs.keepUsage(ticket, [usageOf("measured", 100)], "proxy", LATER);
    expect(await models()).toEqual([["told", 100, "harness"]]);
    await runs.keepUsage(ticket, [usageOf("measured", 300)], "proxy", LATER);
    expect(await models()).toEqual([["measured", 300, "proxy"]]);
  });

  test("is not that of another turn: one can be told and the next one measured", async () => {
    const store = await aStore();
    const id = await usedRun(
      store,
      {},
      { at: AT, endedAt: LATER, usage: [usageOf("told", 10)] },
      { at: LATER, endedAt: LATER, usage: [usageOf("measured", 20)], source: "proxy" },
    );
    expect((await store.runs.listUsage([id]))[id]).toMatchObject([
      { turn: 1, model: "told", source: "harness" },
      { turn: 2, model: "measured", source: "proxy" },
    ]);
  });

  test("of an earlier version was told by its program, and measuring less does not change it", async () => {
    const { id, runs, ticket, connection } = await atWork();
    await runs.keepUsage(ticket, [usageOf("old", 10, 0.5)], "harness", AT);
    await connection.run(
      "UPDATE run_usage SET source = NULL, cost_source = NULL, factory_uid = NULL, automation_uid = NULL, agent_uid = NULL",
    );
    await runs.keepUsage(ticket, [usageOf("measured", 5)], "proxy", LATER);
    expect((await runs.listUsage([id]))[id]).toMatchObject([
      { model: "old", source: "harness", costUsd: 0.5, costSource: "reported" },
    ]);
  });

  test("is not told by who has lost the turn", async () => {
    const { runs, ticket, models } = await atWork();
    const former = { ...ticket, ticket: ticket.ticket - 1 };
    await runs.keepUsage(former, [usageOf("opus", 10)], "harness", AT);
    await runs.keepResources(former, { cpuMs: 1, peakMemoryBytes: 1 }, AT);
    expect(await models()).toEqual([]);
    expect(await runs.listTurnWork([ticket.id])).toEqual({ [ticket.id]: [] });
  });
});

test("what a turn has taken of its machine is known with how long its agent was alive", async () => {
  const store = await aStore();
  const resources = { cpuMs: 4_000, peakMemoryBytes: 1_000_000 };
  const id = await usedRun(store, {}, { at: AT, endedAt: LATER, resources }, { at: LATER, endedAt: LATER });
  expect(await store.runs.listTurnWork([id])).toEqual({
    [id]: [
      { turn: 1, workedMs: 300_000, ...resources },
      { turn: 2, workedMs: 0, cpuMs: null, peakMemoryBytes: null },
    ],
  });
});

test("a turn that was lost has worked as well, and one that never started has not", async () => {
  const { id, runs } = await atWork();
  await runs.recoverLost([id], "gone", LATER);
  expect((await runs.listTurnWork([id]))[id]).toMatchObject([{ turn: 1, workedMs: 300_000 }]);
  const { id: unstarted } = await runs.create(aRun(), AT);
  const [claimed] = await runs.claim(1, LEASE, AT);
  await runs.finish(
    { id: unstarted, ticket: claimed?.ticket ?? 0 },
    { state: "FAILED", exitCode: null, statusMessage: null, isUnstarted: true },
    LATER,
  );
  expect(await runs.listTurnWork([unstarted])).toEqual({ [unstarted]: [] });
});

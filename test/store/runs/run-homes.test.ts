import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS, type RunCaps } from "../../../src/runs/caps.ts";
import type { ClaimReach } from "../../../src/runs/rules/placement.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aRun, LATER, LEASE } from "../../given/store.ts";

const BY = { uid: "ann", type: "user" as const, displayName: "Ann" };
const seconds = (count: number) => new Date(Date.parse(AT) + count * 1_000).toISOString();
/** What a process with this data folder claims, when others are waited for until then. */
const at = (home: string, leftSince: string, changes: Partial<ClaimReach> = {}): ClaimReach => ({
  ...{ placements: ["pool"], factories: null, home, leftSince },
  ...changes,
});

/** A store with a run of a pool, and what claims it. */
async function aRunOfAPool(placement = "pool") {
  const { runs } = await aStoreOf("f");
  const { id } = await runs.create(aRun({ factoryUid: "f", automationUid: "a", placement }), AT);
  const claim = (reach?: ClaimReach, caps: RunCaps = NO_CAPS) => runs.claim(9, LEASE, AT, caps, reach);
  return {
    ...{ runs, id, claim },
    /** Has an executor that keeps workspaces there execute the turn that waits, and then asks for the next one. */
    async execute(reach?: ClaimReach, askedAt = AT) {
      const [claimed] = await claim(reach);
      const ticket = { id, ticket: claimed?.ticket ?? 0 };
      await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
      await runs.finish(ticket, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, AT);
      await runs.followUp({ id: newUuid(), runId: id, message: "More.", creator: BY }, null, askedAt);
      return claimed;
    },
  };
}

describe("a later turn", () => {
  test("is left to whoever has the workspace of its run, until that one has been waited for", async () => {
    const { claim, execute } = await aRunOfAPool();
    expect((await execute(at("first", AT)))?.isElsewhere).toBe(false);
    expect(await claim(at("second", AT))).toEqual([]);
    expect(await claim(at("second", AT), { ...NO_CAPS, automations: { a: 5 } })).toEqual([]);
    expect(await claim(at("second", AT, { factories: ["f"] }))).toEqual([]);
    expect((await claim(at("first", AT))).map(({ run, isElsewhere }) => [run.turn, isElsewhere])).toEqual([
      [2, false],
    ]);
  });

  test.each([
    ["", {}, NO_CAPS],
    [" that is limited to factories", { factories: ["f"] }, NO_CAPS],
    [" under a cap", {}, { ...NO_CAPS, automations: { a: 5 } }],
  ])(
    "is taken by another one%s after that, who knows that the workspace is elsewhere",
    async (_, changes, caps) => {
      const { claim, execute } = await aRunOfAPool();
      await execute(at("first", AT));
      const [claimed] = await claim(at("second", seconds(1), changes), caps);
      expect(claimed).toMatchObject({ isElsewhere: true, run: { turn: 2 } });
    },
  );

  test("does not hold up others that wait behind it", async () => {
    const { runs, claim, execute } = await aRunOfAPool();
    await execute(at("first", AT));
    const other = await runs.create(aRun({ factoryUid: "f", automationUid: "a", placement: "pool" }), AT);
    for (const caps of [NO_CAPS, { ...NO_CAPS, automations: { a: 5 } }]) {
      const claims = await claim(at("second", AT), caps);
      expect(claims.map(({ run }) => run.id)).toEqual([other.id]);
      await runs.recoverLost([other.id], "lost", AT);
    }
  });

  test("is waited for since it was asked for, also when a claim of it has fallen back", async () => {
    const { runs, id, claim, execute } = await aRunOfAPool();
    await execute(at("first", AT));
    await claim(at("first", AT));
    await runs.recoverLost([id], "lost", LATER);
    expect(await claim(at("second", seconds(1)))).toHaveLength(1);
  });

  test("goes on where an agent was started last, and not where a claim has fallen back", async () => {
    const { runs, id, claim, execute } = await aRunOfAPool();
    await execute(at("first", AT));
    await claim(at("second", seconds(1)));
    await runs.recoverLost([id], "lost", LATER);
    expect(await claim(at("second", AT))).toEqual([]);
    await execute(at("second", seconds(1)), AT);
    expect(await claim(at("first", AT))).toEqual([]);
    expect((await claim(at("first", seconds(1))))[0]).toMatchObject({ isElsewhere: true, run: { turn: 3 } });
  });

  test("waits for no server that has executed the run: that one takes no runs of workers", async () => {
    const { claim, execute } = await aRunOfAPool("");
    await execute();
    const [claimed] = await claim(at("first", AT, { placements: [""] }));
    expect(claimed).toMatchObject({ isElsewhere: true, run: { turn: 2 } });
  });

  test("is taken by the server at once, where a worker has executed its run", async () => {
    const { claim, execute } = await aRunOfAPool("");
    await execute(at("first", AT, { placements: [""] }));
    expect((await claim())[0]).toMatchObject({ isElsewhere: true, run: { turn: 2 } });
  });
});

test("a first turn is left to nobody", async () => {
  const { runs, id, claim } = await aRunOfAPool();
  await claim(at("first", AT));
  await runs.recoverLost([id], "lost", AT);
  expect((await claim(at("second", AT)))[0]).toMatchObject({ isElsewhere: false, run: { turn: 1 } });
});

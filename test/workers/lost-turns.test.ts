import { expect, test } from "vitest";
import { endLost } from "../../src/runs/lease.ts";
import { createRunMasks } from "../../src/runs/output/run-masks.ts";
import type { Assignment } from "../../src/runs/turn/assignment.ts";
import { storeDoor } from "../../src/runs/turn/store-door.ts";
import { createHeldTurns } from "../../src/workers/held-turns.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../given/store.ts";

/** A turn that a worker has, with a secret that must not be shown. */
async function aHeldTurn() {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), AT);
  const masks = createRunMasks();
  const deps = { store: runs, masks, leaseNow: () => new Date(LATER) };
  const held = createHeldTurns({ ...deps, turns: {} as never, uploads: { has: async () => true } });
  const hold = async (secret: string) => {
    const [claim] = await runs.claim(1, LEASE, AT);
    if (!claim) throw new Error("no run waits");
    const door = storeDoor(claim, deps as never, async () => ({ defined: [], asked: [] }));
    const hidden = [secret];
    held.hold(claim, LEASE.worker, door, { repositories: [], hidden } as unknown as Assignment);
    await door.hide(hidden);
    return { id, ticket: claim.ticket };
  };
  const endRemains = async () => {};
  return {
    ...{ id, masks, held, hold },
    lose: (onLosing: (ids: readonly string[]) => () => void) =>
      endLost([id], { store: runs, endRemains, onLosing, now: deps.leaseNow, leaseNow: deps.leaseNow }),
  };
}

test("what must not be shown of a turn is let go when its worker is gone, after the run was ended or waits again", async () => {
  const { id, masks, held, hold, lose } = await aHeldTurn();
  await hold("the-secret");
  expect(masks.maskOf(id)?.("the-secret")).not.toContain("the-secret");
  let whileLosing: unknown;
  await lose((ids) => {
    const forget = held.losing(ids);
    return () => {
      whileLosing = masks.maskOf(id);
      forget();
    };
  });
  expect(whileLosing).toBeDefined();
  expect(masks.maskOf(id)).toBeUndefined();
  expect(await held.isForgotten(id)).toBe(true);
});

test("what is hidden of the next turn stays hidden, when that is claimed while the first one is let go", async () => {
  const { id, masks, held, hold, lose } = await aHeldTurn();
  await hold("the-secret");
  let forget = () => {};
  await lose((ids) => {
    forget = held.losing(ids);
    return () => {};
  });
  await hold("another-secret");
  forget();
  expect(masks.maskOf(id)?.("another-secret")).not.toContain("another-secret");
  expect(await held.isForgotten(id)).toBe(false);
});

import { expect, test, vi } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createPlanner } from "../../src/plans/planner.ts";
import { FACTORY, treeOf } from "../given/definition.ts";
import { factoriesThatWait } from "../given/two-servers.ts";

test("a plan that is made while its source goes on with a factory is held against that factory", async () => {
  const before = await factoriesThatWait(FACTORY);
  await before.goOn(1);
  await vi.waitFor(() => expect(before.sync()?.status).toBe("synced"), 5_000);
  await before.factories.stop();

  const moved = await factoriesThatWait(FACTORY, { store: before.store, path: "/moved" });
  await moved.waits(1);
  const planned = treeOf(FACTORY);
  const synced = () => vi.waitFor(() => expect(moved.sync()?.status).toBe("synced"), 5_000);
  moved.holdLoading(async (tree) => {
    if (tree !== planned || moved.sync()?.status === "synced") return;
    await moved.goOn(1);
    await synced();
  });
  const { factories, store } = moved;
  const planner = createPlanner({
    factories,
    defaultFactory: { name: undefined },
    deliveries: store.deliveries,
    reaches: store.runs,
    spend: store.spend,
    now: () => new Date(),
    log: silentLog,
  });
  const plan = planner.plan(factories.get(moved.uid), { tree: planned }, { traffic: false });
  for (const pass of [2, 3]) void moved.goOn(pass).catch(() => {});
  const { report } = await plan;
  expect(report.problems).toEqual([]);
  expect(report.changes.filter(({ action }) => action === "create")).toEqual([]);
  expect(moved.factories.list()[0]?.record.uid).toBe(before.uid);
});

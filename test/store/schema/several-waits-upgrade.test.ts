import { expect, test } from "vitest";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { emptyStoreOf0_1_0 } from "../../given/filled-store.ts";

test("the upgrade to several waits of a run keeps its wait, with the runs of it", async () => {
  const connection = await emptyStoreOf0_1_0("045-several-waits");
  const until = "2026-11-24T10:00:00.000Z";
  await connection.run("INSERT INTO run_waits (run_id, mode, until) VALUES ('run', 'any', $1)", [until]);
  const targets: [id: string, isWaited: number][] = [
    ["b", 1],
    ["a", 1],
    ["earlier", 0],
  ];
  for (const [id, isWaited] of targets) {
    await connection.run(
      "INSERT INTO run_wait_targets (run_id, target_id, is_open, is_waited) VALUES ('run', $1, $2, $2)",
      [id, isWaited],
    );
  }
  await migrate(connection, new Date());
  expect(await connection.all("SELECT run_id, mode, until, targets FROM run_waits")).toEqual([
    { run_id: "run", mode: "any", until, targets: '["a","b"]' },
  ]);
});

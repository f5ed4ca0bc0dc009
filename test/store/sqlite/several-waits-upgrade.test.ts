import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";

test("the upgrade to several waits of a run keeps its wait, with the runs of it", async () => {
  const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
  onFinished(() => connection.close());
  const before = migrations.findIndex(({ name }) => name === "045-several-waits");
  await migrate(connection, new Date(), migrations.slice(0, before));
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

import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../../src/store/store.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { AT, aQuery } from "../../given/store.ts";

test("runs from before the listing are listed, filtered and searched like those after it", async () => {
  const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
  onFinished(() => connection.close());
  const before = migrations.findIndex(({ name }) => name === "007-run-api");
  await migrate(connection, new Date(), migrations.slice(0, before));
  for (const [id, title, factory, updated] of [
    ["a", "Fix the build for Zoë", "acme", "2026-11-20T10:00:00.250Z"],
    ["b", "Look at it", null, "2026-11-20T11:00:00.000Z"],
  ]) {
    await connection.run(
      `INSERT INTO runs (run_id, factory_uid, title, prompt, source, creator, creator_uid, config, config_name, model_id,
         execution, metadata, state, created_at, updated_at)
       VALUES ($1, $2, $3, 'Do it.', 'API', '{"uid":"ann","type":"user","displayName":"Ann"}', 'ann', '{}', 'nightly', NULL,
         '{}', '{}', 'SUCCEEDED', $4, $5)`,
      [String(id), factory ?? null, String(title), AT, String(updated)],
    );
  }
  await migrate(connection, new Date());
  const { runs } = createPorts(connection);
  const idsOf = async (...query: Parameters<typeof aQuery>) =>
    (await runs.list(aQuery(...query))).runs.map(({ id }) => id);
  expect(await idsOf()).toEqual(["b", "a"]);
  expect(await idsOf({}, { sort: "title" })).toEqual(["b", "a"]);
  expect(await idsOf({ factoryUids: ["acme"], states: ["SUCCEEDED"] })).toEqual(["a"]);
  expect(await idsOf({ name: "nightly", creator: "ann", executor: "ann", environmentId: null })).toEqual([
    "b",
    "a",
  ]);
  expect(await idsOf({ updatedAfter: Date.parse("2026-11-20T10:00:00.250Z") })).toEqual(["b", "a"]);
  expect(await idsOf({ updatedAfter: Date.parse("2026-11-20T10:00:00.251Z") })).toEqual(["b"]);
  expect(await idsOf({ text: "BUILD" })).toEqual(["a"]);
  expect(await idsOf({ text: "zoe" })).toEqual(["a"]);
  expect(await idsOf({ modelId: "large" })).toEqual([]);
  const [run] = (await runs.list(aQuery())).runs;
  expect(run).toMatchObject({ executor: { uid: "ann" }, ancestors: [], scheduleId: null });
});

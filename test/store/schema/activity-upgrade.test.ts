import { expect, test } from "vitest";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { createPorts } from "../../../src/store/store.ts";
import { emptyStoreOf0_1_0 } from "../../given/filled-store.ts";

test("after the upgrade a webhook shows the runs that it started before", async () => {
  const connection = await emptyStoreOf0_1_0("036-activity");
  const insertRun = async (id: string, factory: string, webhook: string | null) => {
    await connection.run(
      `INSERT INTO runs (run_id, factory_uid, webhook_uid, title, prompt, source, creator, creator_uid, ancestors, config,
         execution, metadata, state, created_at, updated_at)
       VALUES ($1, $2, $3, 'T', 'Do it.', 'API', '{}', 'p', '[]', '{}', '{}', '{}', 'SUCCEEDED', $4, $4)`,
      [id, factory, webhook, "2026-11-20T10:00:00.000Z"],
    );
    await connection.run(
      `INSERT INTO run_listing (run_id, created_at, updated_at, lifespan, state, source, audience, in_factory, creator,
         executor, name, model, environment, schedule, automation, title)
       VALUES ($1, 1, 1, 0, (SELECT id FROM facet_texts WHERE text = 'SUCCEEDED'), 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'T')`,
      [id],
    );
  };
  await connection.run("INSERT INTO facet_texts (text) VALUES ('SUCCEEDED')");
  await insertRun("1", "factory", "ci");
  await insertRun("2", "factory", "ci");
  await insertRun("3", "another", "ci");
  await insertRun("4", "factory", null);
  await migrate(connection, new Date());

  const { runSummaries } = createPorts(connection);
  const webhooks = [{ factoryUid: "factory", uid: "ci" }];
  expect(await runSummaries.listSummaries({ by: "webhook", webhooks })).toMatchObject([
    { uid: "ci", last: { id: "2" }, succeeded: 2, failed: 0, cancelled: 0 },
  ]);
});

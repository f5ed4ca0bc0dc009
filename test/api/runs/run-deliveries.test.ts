import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { storeOf } from "../../given/store.ts";

const TOKEN = "the-token";
const MAX_LISTED = 2_000;

test("a run with more deliveries than are listed has the newest ones listed, oldest first", async () => {
  const block = '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1h } }';
  const automation = withMillrace(automationOn(["ci"]), block);
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automation };
  const { server, story } = await serverWithAgent("process.exit(0)", { files });
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const url = await story.urlOf("ci");
  const first = await story.accept(url, TOKEN, '{"pr":7,"n":1}');
  const [run = ""] = (await story.delivery(first)).run_ids;

  // Thousands of acceptances would take minutes.
  const { connection } = await storeOf(server);
  await connection.run(
    `INSERT INTO run_deliveries (run_id, position, delivery_id, kind, key, lacks_key, at, total_size)
     WITH RECURSIVE more(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n <= ${MAX_LISTED})
     SELECT d.run_id, more.n, 'd' || more.n, 'continued', d.key, 0, d.at, d.total_size
     FROM run_deliveries d, more WHERE d.run_id = $1`,
    [run],
  );
  const newest = `d${MAX_LISTED + 1}`;
  await connection.run("UPDATE runs SET delivery_id = $1 WHERE run_id = $2", [newest, run]);

  const { deliveries } = await server.api<Models["RunDeliveries"]>("GET", `/agent/runs/${run}/deliveries`);
  const ids = deliveries.map(({ delivery_id }) => delivery_id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_LISTED, "d2", newest]);
});

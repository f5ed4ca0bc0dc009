import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasEnded } from "../../../src/runs/rules/state.ts";
import { BetterSqlite } from "../../../src/store/sqlite/better-sqlite.ts";
import { automationWith, FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { type Server, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const KILLS = 6;
const AT_ONCE = 8;

const FILES = {
  ...FACTORY,
  "automations/ended.md": automationWith(
    "triggers: [{ provider: factory, event: run_ended, filter: { automations: { not_in: [ended, moved] } } }]",
  ),
  "automations/moved.md": automationWith("triggers: [{ provider: factory, event: work_item_stage_changed }]"),
};

/** What the store knows: every event that has happened, and which of them were followed. */
function storedIn(dataDir: string) {
  const database = new BetterSqlite(join(dataDir, "millrace.db"), { readonly: true });
  const all = (sql: string) => database.prepare(sql).all() as { key: string }[];
  try {
    return {
      moves: all("SELECT 'task:' || seq AS key FROM task_events").map(({ key }) => key),
      followed: new Set(all("SELECT event_id AS key FROM trigger_firings").map(({ key }) => key)),
    };
  } finally {
    database.close();
  }
}

/** Begins work of each kind that makes events; the server is killed before all of it is answered. */
async function beginEvents(server: Server, factory: string): Promise<void> {
  const asked = Array.from({ length: AT_ONCE }, async (_, each) => {
    const { run_id } = await server.api<{ run_id: string }>("POST", `/factory/${factory}/runs`, {
      prompt: "Do it.",
    });
    const { task_uid } = await storyOf(server).run(run_id);
    await server.api("PATCH", `/factory/${factory}/tasks/${task_uid}`, { stage: "REVIEW" });
    if (each % 2 === 0) await server.api("POST", `/agent/runs/${run_id}/cancel`);
  });
  // An answer says that an event was committed, not that it was followed.
  await Promise.any(asked).catch(() => {});
  for (const each of asked) each.catch(() => {});
  await sleep(Math.random() * 100);
}

test(`through ${KILLS} kills of the server between events and what they start, each event starts its automation once`, async () => {
  const options = {
    sources: [folderWith(FILES)],
    dataDir: join(temporaryFolder("killed-between"), "data"),
    env: { MILLRACE_RUN_CONCURRENCY: "4" },
    sharesProcess: false,
  };
  let server = await startServer(options);
  await storyOf(server).sync();
  const { uid } = await storyOf(server).factory();
  let unfollowed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await beginEvents(server, uid);
    await server.kill();
    const { moves, followed } = storedIn(options.dataDir);
    unfollowed += moves.filter((move) => !followed.has(move)).length;
    server = await startServer(options);
    await storyOf(server).sync();
  }

  const story = storyOf(server);
  const runs = await waitFor(async () => {
    const found = await story.runs();
    const isQuiet = found.every(({ state }) => hasEnded(state));
    const causes = found.filter(({ trigger }) => trigger === undefined).length;
    const isFollowed = found.filter(({ trigger }) => trigger?.event === "run_ended").length >= causes;
    const { moves, followed } = storedIn(options.dataDir);
    return isQuiet && isFollowed && moves.every((move) => followed.has(move)) ? found : undefined;
  }, 60);

  // Otherwise no kill has come between an event and what it starts, and this shows nothing.
  expect(unfollowed).toBeGreaterThan(0);
  const causes = runs.filter(({ trigger }) => trigger === undefined).map(({ run_id }) => run_id);
  const byEnds = runs.filter(({ trigger }) => trigger?.event === "run_ended");
  expect(byEnds.map(({ trigger }) => trigger?.run_id).toSorted()).toEqual(causes.toSorted());
  const byMoves = runs.filter(({ trigger }) => trigger?.event === "work_item_stage_changed");
  expect(byMoves).toHaveLength(storedIn(options.dataDir).moves.length);
  expect(runs).toHaveLength(causes.length + byEnds.length + byMoves.length);
}, 300_000);

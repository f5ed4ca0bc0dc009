import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { serverWithAgent } from "../given/agent.ts";
import { movableClock } from "../given/clockwork.ts";
import { waitFor } from "../given/server.ts";
import { aWorker, remoteRuns } from "../given/workers.ts";

const HOUR_MS = 3_600_000;
const ENDLESS = "setInterval(() => {}, 1_000)";

test("a long poll ends when its wait is over, also when the clock is set back during it", async () => {
  const clock = movableClock();
  const { server, start } = await serverWithAgent(ENDLESS, { env: clock.env });
  const id = await start();
  const polled = server.api("GET", `/agent/runs/${id}?wait=2s`).then(() => "answered");
  // The wait has begun by the clock of before.
  await sleep(1_000);
  clock.set(-HOUR_MS);
  expect(await waitFor(() => Promise.race([polled, undefined]), 25)).toBe("answered");
});

test.each([
  ["forward", 2 * HOUR_MS],
  ["back", -2 * HOUR_MS],
])(
  "a clock that is set %s ends no turn of a worker, nor does the next start of the server",
  async (_, shift) => {
    const clock = movableClock();
    const mill = await remoteRuns({ lease: "20s", settings: clock.env });
    const agent = `${mill.agents.program} say("working"); await until("enough"); console.log("done");`;
    await aWorker(mill.server, { agent });
    const id = await mill.start();
    await mill.agents.has("working");
    clock.set(shift);
    // The server looks for lost workers every ten seconds.
    await sleep(15_000);
    const { workers } = await mill.server.api<{ workers: { runs: { run_id: string }[] }[] }>(
      "GET",
      "/workers",
    );
    expect(workers.flatMap(({ runs }) => runs.map(({ run_id }) => run_id))).toEqual([id]);
    await mill.kill();
    await mill.restart();
    // A server that starts looks for lost workers at once, and again.
    await sleep(12_000);
    mill.agents.can("enough");
    expect(await mill.story.ended(id, 40)).toMatchObject({ state: "SUCCEEDED" });
    expect(mill.starts(id)).toBe(1);
  },
);

test("readiness is checked again, also when the clock was set back", async () => {
  const clock = movableClock();
  const { server } = await serverWithAgent(ENDLESS, { env: clock.env });
  expect((await server.fetch("/readyz")).status).toBe(200);
  clock.set(-HOUR_MS);
  const database = openSqlite(join(server.dataDir, "millrace.db"));
  onTestFinished(() => database.close());
  database.begin();
  await waitFor(async () => ((await server.fetch("/readyz")).status === 503 ? true : undefined), 40);
});

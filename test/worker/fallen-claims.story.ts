import { expect, test } from "vitest";
import { doorClient } from "../given/door-client.ts";
import { remoteRuns } from "../given/remote-runs.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

test("a worker that claims a run and lets it fall back again and again gets it less and less, and another one executes it", async () => {
  const mill = await remoteRuns({ lease: "5s" });
  const bad = await doorClient(mill.server, { facts: { dataFolder: "bad" } });
  const id = await mill.start();
  const isState = (state: string) =>
    waitFor(async () => (await mill.story.run(id)).state === state || undefined, 40);
  for (const _ of [1, 2]) {
    expect(await bad.claim(1, 20_000)).toHaveLength(1);
    await isState("QUEUED");
  }
  await waitFor(() => mill.server.log().includes("let them fall back again and again") || undefined);
  const second = await mill.start();
  expect((await bad.claim(5, 20_000)).length).toBeLessThanOrEqual(1);
  await aWorker(mill.server, { agent: mill.agents.program, token: bad.token });
  for (const each of [id, second])
    expect(await mill.story.ended(each, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect([mill.starts(id), mill.starts(second)]).toEqual([1, 1]);
});

import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { aWaitingFamily } from "../../given/family.ts";

test("a run that waits for other runs is counted as waiting, and not as in progress", async () => {
  const { server, wait, touch, resting, story, parent } = await aWaitingFamily(["one", "two"]);
  await wait();
  touch("exit");
  await resting();
  const counted = async () => {
    const lines = (await (await server.metrics()).text()).split("\n");
    return lines.filter((line) => line.startsWith("millrace_runs{") && !line.endsWith(" 0"));
  };
  // One child has the place that its parent has given back, and the other waits for it.
  await expect
    .poll(counted)
    .toEqual([
      'millrace_runs{state="QUEUED"} 1',
      'millrace_runs{state="INPROGRESS"} 1',
      'millrace_runs{state="WAITING"} 1',
    ]);
  const activity = async () =>
    (await server.api<Models["FactoryActivityList"]>("GET", "/activity/factories")).factories[0];
  const open = { runs_waiting: 1, runs_in_progress: 1, runs_waiting_for_runs: 1, runs_blocked: 0 };
  await expect.poll(activity, { timeout: 20_000 }).toMatchObject(open);
  for (const name of ["one", "two"]) touch(name);
  await story.ended(parent);
  expect(await counted()).toEqual(['millrace_runs{state="SUCCEEDED"} 3']);
});

import { expect, test } from "vitest";
import { remoteRuns } from "../given/remote-runs.ts";
import { aWorker } from "../given/worker.ts";

/** Says which worker it is on, when it begins and when it ends. */
const SHORT = `
  const tell = (what) => appendFileSync(at("told"), what + " " + process.cwd() + "\\n");
  tell("begin");
  for (let i = 0; i < 10; i += 1) await pause();
  tell("end");`;

test("two workers of a pool execute each of thirty runs once, and never more at once than they may", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  const agent = mill.agents.program + SHORT;
  const first = await aWorker(mill.server, { agent });
  const second = await aWorker(mill.server, { agent, token: first.token });
  const ids = await Promise.all(Array.from({ length: 30 }, () => mill.start()));
  for (const id of ids) expect(await mill.story.ended(id, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect(ids.map(mill.starts)).toEqual(ids.map(() => 1));
  const told = mill.agents.read("told").trim().split("\n");
  for (const { dataDir } of [first, second]) {
    const here = told.filter((line) => line.includes(dataDir));
    expect(here.length).toBeGreaterThan(2);
    expect(mostAtOnce(here)).toBeLessThanOrEqual(2);
  }
});

function mostAtOnce(lines: readonly string[]): number {
  let now = 0;
  return Math.max(
    ...lines.map((line) => {
      now += line.startsWith("begin") ? 1 : -1;
      return now;
    }),
  );
}

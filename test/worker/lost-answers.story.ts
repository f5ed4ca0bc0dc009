import { expect, test } from "vitest";
import { everyOther, type Fault, faultyProxy } from "../given/faulty-proxy.ts";
import { remoteRuns } from "../given/remote-runs.ts";
import { aWorker } from "../given/worker.ts";

/** Writes lines, and leaves a file and an answer. */
const WORKS = `
  import { mkdirSync } from "node:fs";
  for (let i = 1; i <= 500; i += 1) {
    console.log("line " + i);
    if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  mkdirSync("artifacts");
  writeFileSync("artifacts/result.txt", "the result");`;

const LINES = Array.from({ length: 500 }, (_, at) => `line ${at + 1}\n`).join("");

test.each([
  ["every other answer is lost", everyOther("lose")],
  ["everything is sent twice", (): Fault => "double"],
])("where %s, a run is executed once, and what it leaves is there once", async (_, faultOf) => {
  const mill = await remoteRuns({ lease: "20s" });
  const proxy = await faultyProxy(mill.server.url, faultOf);
  const worker = await aWorker(mill.server, { agent: mill.agents.program + WORKS, reachesAt: proxy.url });
  const id = await mill.start();
  const run = await mill.story.ended(id, 50);
  expect(run, worker.said()).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.written(id)).toBe(LINES);
  expect(run.artifacts).toHaveLength(1);
  expect(mill.starts(id)).toBe(1);
  expect(await mill.agentStarted(id)).toBe(1);
  expect(mill.server.log()).not.toContain('"level":"error"');
});

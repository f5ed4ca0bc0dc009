import { expect, test } from "vitest";
import { agentsIn } from "../../given/processes.ts";
import { cutLink, everyOther, type Fault, faultyProxy } from "../../given/proxies.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker, remoteRuns } from "../../given/workers.ts";

/** Does not end when it is asked to. */
const STUBBORN = `
  process.on("SIGTERM", () => {});
  console.log("before");
  say("working");
  await until("cut");
  console.log("after");
  await until("enough");`;

test("a worker that is cut off ends its agent before the server lets go of the run, and nothing of it counts any more", async () => {
  const mill = await remoteRuns({ lease: "12s" });
  const link = await cutLink(mill.server.url);
  const worker = await aWorker(mill.server, { agent: mill.agents.program + STUBBORN, reachesAt: link.url });
  const id = await mill.start();
  await waitFor(async () => (await mill.written(id)).includes("before"));
  link.cut();
  mill.agents.can("cut");
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
  expect(await mill.story.run(id)).toMatchObject({ state: "INPROGRESS" });
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "ERROR" });
  link.mend();
  mill.agents.can("enough");
  const next = await mill.start();
  expect(await mill.story.ended(next, 40)).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.story.run(id)).toMatchObject({ state: "ERROR" });
  expect(await mill.written(id)).not.toContain("after");
  expect(mill.starts(id)).toBe(1);
});

test("the agent of a worker that sleeps for longer than its lease ends before that, and the worker takes runs again", async () => {
  const mill = await remoteRuns({ lease: "10s" });
  const worker = await aWorker(mill.server, { agent: mill.agents.program + STUBBORN });
  const id = await mill.start();
  await waitFor(async () => (await mill.written(id)).includes("before"));
  worker.signal("SIGSTOP");
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
  expect(await mill.story.run(id)).toMatchObject({ state: "INPROGRESS" });
  mill.agents.can("cut");
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "ERROR" });
  worker.signal("SIGCONT");
  mill.agents.can("enough");
  const next = await mill.start();
  expect(await mill.story.ended(next, 40)).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.written(id)).toBe("before\n");
  expect(await mill.story.run(id)).toMatchObject({ state: "ERROR" });
});

test("a run of a worker that is cut off and that somebody has cancelled ends with its lease", async () => {
  const mill = await remoteRuns({ lease: "10s" });
  const link = await cutLink(mill.server.url);
  const worker = await aWorker(mill.server, { agent: mill.agents.program + STUBBORN, reachesAt: link.url });
  const id = await mill.start();
  await mill.agents.has("working");
  link.cut();
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "CANCELLED" });
});

test("a worker whose link is back in time goes on, and what was on the way arrives", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  const link = await cutLink(mill.server.url);
  await aWorker(mill.server, { agent: mill.agents.program + STUBBORN, reachesAt: link.url });
  const id = await mill.start();
  await waitFor(async () => (await mill.written(id)).includes("before"));
  link.cut();
  mill.agents.can("cut");
  await waitFor(() => link.swallowed() > 1);
  link.mend();
  await waitFor(async () => (await mill.written(id)).includes("after"));
  mill.agents.can("enough");
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.written(id)).toBe("before\nafter\n");
});

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

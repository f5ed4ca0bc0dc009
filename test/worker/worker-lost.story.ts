import { expect, test } from "vitest";
import { faultyProxy } from "../given/faulty-proxy.ts";
import { agentsIn, supervisorOf } from "../given/processes.ts";
import { remoteRuns } from "../given/remote-runs.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

const WAITS = `
  say("working");
  await until("enough");`;

test("the agent of a worker that is killed and does not come back ends before the lease, and the run ends once with ERROR and goes on only when it is asked to", async () => {
  const mill = await remoteRuns({ lease: "10s" });
  const agent = mill.agents.program + WAITS;
  const worker = await aWorker(mill.server, { agent });
  const id = await mill.start();
  await mill.agents.has("working");
  await worker.kill();
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
  await waitFor(() => supervisorOf(worker) === undefined);
  expect(await mill.story.run(id)).toMatchObject({ state: "INPROGRESS" });
  const { token, dataDir } = worker;
  await aWorker(mill.server, { agent, token, dataDir });
  expect(await mill.story.ended(id, 40)).toMatchObject({
    state: "ERROR",
    status_message: { error_code: "infrastructure_timeout" },
  });
  mill.agents.can("enough");
  const next = await mill.start();
  expect(await mill.story.ended(next)).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.story.run(id)).toMatchObject({ state: "ERROR" });
  expect(mill.starts(id)).toBe(1);
  const moves = (await mill.story.timeline(id)).map(({ event_type }) => event_type);
  expect(moves).toEqual(["oz_run_created", "oz_run_claimed", "agent_started", "oz_run_errored"]);
  await mill.server.api("POST", `/agent/runs/${id}/followups`, { message: "Again." });
  await waitFor(() => mill.starts(id) === 2);
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
});

test("a run whose worker was lost before its agent started executes on another worker of the pool", async () => {
  const mill = await remoteRuns({ lease: "10s" });
  const agent = `${mill.agents.program} say("worked", process.cwd());`;
  const proxy = await faultyProxy(mill.server.url, (name) => (name === "start" ? "hold" : "pass"));
  const first = await aWorker(mill.server, { agent, reachesAt: proxy.url });
  const id = await mill.start();
  await waitFor(() => proxy.asked.includes("start"));
  await first.kill();
  const second = await aWorker(mill.server, { agent, token: first.token });
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "SUCCEEDED" });
  expect(mill.agents.read("worked")).toContain(second.dataDir);
  expect(mill.starts(id)).toBe(1);
});

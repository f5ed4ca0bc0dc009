import { expect, test } from "vitest";
import { agentsIn } from "../given/processes.ts";
import { remoteRuns } from "../given/remote-runs.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

const FOREVER = `
  say("working");
  await until("never");`;

test("a cancel reaches the agent on a worker", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  const worker = await aWorker(mill.server, { agent: mill.agents.program + FOREVER });
  const id = await mill.start();
  await mill.agents.has("working");
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  expect(await mill.story.ended(id)).toMatchObject({ state: "CANCELLED" });
  expect(agentsIn(worker.dataDir)).toEqual([]);
});

test("a cancel that the server has taken just before it was killed reaches the agent afterwards", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  const worker = await aWorker(mill.server, { agent: mill.agents.program + FOREVER });
  const id = await mill.start();
  await mill.agents.has("working");
  // The worker hears nothing until the server is gone.
  worker.signal("SIGSTOP");
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  await mill.kill();
  worker.signal("SIGCONT");
  await mill.restart();
  expect(await mill.story.ended(id)).toMatchObject({ state: "CANCELLED" });
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
});

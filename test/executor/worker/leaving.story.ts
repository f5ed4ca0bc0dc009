import { expect, test } from "vitest";
import { agentsIn } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker, remoteRuns } from "../../given/workers.ts";

const WAITS = `
  say("working-" + process.env.MILLRACE_RUN_ID);
  await until("enough");`;

interface Workers {
  workers: { id: string; state: string; executing: number }[];
}

async function atWork(lease = "20s", drainTimeout = "60s") {
  const mill = await remoteRuns({ lease });
  const agent = mill.agents.program + WAITS;
  const worker = await aWorker(mill.server, { agent, env: { MILLRACE_DRAIN_TIMEOUT: drainTimeout } });
  const id = await mill.start();
  await mill.agents.has(`working-${id}`);
  const listed = async () => (await mill.server.api<Workers>("GET", "/workers")).workers[0];
  const uid = (await listed())?.id ?? "";
  return { mill, agent, worker, id, uid, listed };
}

const isWaiting = async (mill: Awaited<ReturnType<typeof remoteRuns>>, id: string) =>
  (await mill.story.run(id)).state === "QUEUED";

test("a drained worker ends what it executes and takes nothing more, until its drain ends", async () => {
  const { mill, worker, id, uid } = await atWork();
  await mill.server.api("POST", `/workers/${uid}/drain`);
  const next = await mill.start();
  mill.agents.can("enough");
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await isWaiting(mill, next)).toBe(true);
  expect(worker.exitCode()).toBe(null);
  await mill.server.api("DELETE", `/workers/${uid}/drain`);
  expect(await mill.story.ended(next)).toMatchObject({ state: "SUCCEEDED" });
});

test("a worker that is asked to end takes no more runs, lets its agent finish, and ends with 0", async () => {
  const { mill, worker, id, listed } = await atWork();
  const stopping = worker.stop();
  await waitFor(async () => (await listed())?.state === "offline");
  const next = await mill.start();
  mill.agents.can("enough");
  expect(await stopping).toBe(0);
  expect(await mill.story.run(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await isWaiting(mill, next)).toBe(true);
});

test("a worker that has nothing to do is offline as soon as it has ended", async () => {
  const mill = await remoteRuns({ lease: "60s" });
  const worker = await aWorker(mill.server);
  const state = async () => (await mill.server.api<Workers>("GET", "/workers")).workers[0]?.state;
  await waitFor(async () => (await state()) === "connected");
  expect(await worker.stop()).toBe(0);
  expect(await state()).toBe("offline");
});

test("a worker that is asked to end ends agents that do not, and their runs end with ERROR", async () => {
  const { mill, worker, id } = await atWork("20s", "1s");
  expect(await worker.stop()).toBe(0);
  expect(agentsIn(worker.dataDir)).toEqual([]);
  expect(await mill.story.run(id)).toMatchObject({
    state: "ERROR",
    status_message: { message: expect.stringContaining("the worker that executed it") },
  });
});

test("a worker that is revoked ends with an error that says what to do, and its runs end with ERROR", async () => {
  const { mill, worker, id, uid } = await atWork("5s");
  await mill.server.api("DELETE", `/workers/${uid}`);
  expect(await waitFor(() => worker.exitCode() ?? undefined)).not.toBe(0);
  expect(worker.said()).toContain("no valid worker token");
  expect(worker.said()).toContain("millrace workers create");
  expect(agentsIn(worker.dataDir)).toEqual([]);
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "ERROR" });
});

test("a worker that takes one turn ends with 0 after it, and leaves the next run to others", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  mill.agents.can("enough");
  const ids = [await mill.start(), await mill.start()];
  const once = await aWorker(mill.server, { agent: mill.agents.program + WAITS, args: ["--once"] });
  expect(await waitFor(() => once.exitCode()?.toString())).toBe("0");
  const states = await Promise.all(ids.map(async (id) => (await mill.story.run(id)).state));
  expect(states).toEqual(["SUCCEEDED", "QUEUED"]);
});

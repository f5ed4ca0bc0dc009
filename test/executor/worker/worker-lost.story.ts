import { expect, test } from "vitest";
import { agentsIn, supervisorOf } from "../../given/processes.ts";
import { faultyProxy } from "../../given/proxies.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker, remoteRuns } from "../../given/workers.ts";

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

/** Writes lines with numbers until it may end, and says how many there were. */
const COUNTS = `
  let last = 0;
  while (!existsSync(at("enough"))) {
    let text = "";
    for (let i = 0; i < 20; i += 1) text += "line " + ++last + "\\n";
    await new Promise((resolve) => process.stdout.write(text, resolve));
    say("count", String(last));
    await pause();
  }`;

const lines = (last: number) => Array.from({ length: last }, (_, at) => `line ${at + 1}\n`).join("");

test.each([
  ["the worker is", false],
  ["the worker and the server are", true],
])("an agent goes on when %s killed, and all that it writes arrives once and in order", async (_, both) => {
  const mill = await remoteRuns({ lease: "30s" });
  const agent = mill.agents.program + COUNTS;
  const worker = await aWorker(mill.server, { agent });
  const id = await mill.start();
  await waitFor(async () => (await mill.written(id)).includes("line 100\n"));
  const { token, dataDir } = worker;
  await worker.kill();
  if (both) await mill.kill();
  const atKill = Number(mill.agents.read("count"));
  await waitFor(() => Number(mill.agents.read("count")) > atKill + 1_000);
  const again = await aWorker(mill.server, { agent, token, dataDir });
  if (both) await mill.restart();
  const atStart = Number(mill.agents.read("count"));
  await waitFor(async () => (await mill.written(id)).includes(`line ${atStart + 100}\n`));
  mill.agents.can("enough");
  expect(await mill.story.ended(id, 40)).toMatchObject({ state: "SUCCEEDED" });
  expect(await mill.written(id)).toBe(lines(Number(mill.agents.read("count"))));
  expect(mill.starts(id)).toBe(1);
  expect(await mill.agentStarted(id)).toBe(1);
  await again.stop();
  await waitFor(() => agentsIn(dataDir).length === 0);
});

test("messages to a session reach an agent once, before and after its worker was killed", async () => {
  const live = `
    import { createInterface } from "node:readline";
    for await (const line of createInterface({ input: process.stdin })) {
      const { text } = JSON.parse(line);
      console.log("heard: " + text);
      if (text === "bye") process.exit(0);
    }`;
  const mill = await remoteRuns({ lease: "30s", live });
  const worker = await aWorker(mill.server, { args: mill.args });
  const id = await mill.start({ config: { harness: { type: "live" } } });
  const say = (message: string) =>
    mill.server.api<object>("POST", `/agent/runs/${id}/followups`, { message });
  const hears = (text: string) => waitFor(async () => (await mill.written(id)).includes(`heard: ${text}\n`));
  await waitFor(async () => (await mill.written(id)).includes("Do it."));
  await say("one");
  await hears("one");
  await worker.kill();
  await say("two");
  const { token, dataDir } = worker;
  await aWorker(mill.server, { args: mill.args, token, dataDir });
  await hears("two");
  await say("bye");
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  const heard = (await mill.written(id)).split("\n").filter((line) => /one|two|bye/.test(line));
  expect(heard).toEqual(["heard: one", "heard: two", "heard: bye"]);
  expect(await mill.agentStarted(id)).toBe(1);
});

test("an agent that was cancelled while its worker was away ends when the worker is back", async () => {
  const mill = await remoteRuns({ lease: "30s" });
  const agent = mill.agents.program + COUNTS;
  const worker = await aWorker(mill.server, { agent });
  const id = await mill.start();
  await waitFor(() => Number(mill.agents.read("count")) > 0);
  await worker.kill();
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  const { token, dataDir } = worker;
  await aWorker(mill.server, { agent, token, dataDir });
  expect(await mill.story.ended(id, 20)).toMatchObject({ state: "CANCELLED" });
  await waitFor(() => agentsIn(dataDir).length === 0);
});

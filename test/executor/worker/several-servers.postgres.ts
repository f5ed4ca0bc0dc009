import { expect, test } from "vitest";
import { alternatingProxy } from "../../given/proxies.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";
import { OWN_SECRET, severalServers } from "../../given/several-servers.ts";
import { aWorker } from "../../given/workers.ts";

const SETTINGS = { MILLRACE_WORKER_LEASE: "6s", MILLRACE_WORKERS: "none" };

/** Writes lines with a secret of its own, leaves a file, and reports to the API. */
const WORKS = `
  import { execFileSync } from "node:child_process";
  import { mkdirSync, writeFileSync } from "node:fs";
  for (let i = 1; i <= 300; i += 1) {
    console.log("line " + i);
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
  }
  for (let i = 0; i < 4; i += 1) {
    const answer = await fetch(process.env.MILLRACE_API_URL + "/api/v1/agent/runs/" + process.env.MILLRACE_RUN_ID + "/status", {
      method: "POST",
      headers: { authorization: "Bearer " + process.env.MILLRACE_RUN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ text: "step " + i + " with " + process.env.OWN }),
    });
    console.log("reported " + answer.status + (answer.ok ? "" : await answer.text()));
  }
  mkdirSync("artifacts");
  writeFileSync("artifacts/result.bin", Buffer.alloc(5_000_000, 7));
`;
const WAITS = `setInterval(() => {}, 1_000);`;

const GRANTED = {
  "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\nYou do the work.\n",
};

/** Says something, and leaves a file. */
const ENDS = `
  import { mkdirSync, writeFileSync } from "node:fs";
  console.log("working");
  mkdirSync("artifacts");
  writeFileSync("artifacts/note.txt", "done");
`;

/** Two servers, behind something that gives each request of a worker and of its agents to the next of them. */
async function workerOfTwo(agent: string) {
  const { servers } = await severalServers(2, { settings: SETTINGS, files: GRANTED });
  const [a, b] = servers;
  if (!a || !b) throw new Error("two servers were asked for");
  const url = await alternatingProxy([a.server.url, b.server.url]);
  const worker = await aWorker(a.server, { agent, reachesAt: url });
  const start = async () =>
    (
      await a.server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        config: { worker_host: "builder" },
      })
    ).run_id;
  return { a, b, worker, start };
}

test("a worker whose requests reach two servers in turn executes a run once, and what it tells is there whole", async () => {
  const { a, b, worker, start } = await workerOfTwo(WORKS);
  const id = await start();
  const run = await b.story.ended(id, 50);
  expect(run, worker.said()).toMatchObject({ state: "SUCCEEDED" });
  const written = await a.story.transcript(id);
  for (let line = 1; line <= 300; line += 1) expect(written).toContain(`line ${line}\n`);
  expect(written.match(/reported .*/g)).toEqual(Array(4).fill("reported 200"));
  const told = JSON.stringify([run, written]);
  expect(told).toContain("step 3 with ");
  expect(told).not.toContain(OWN_SECRET);
  expect(run.artifacts).toHaveLength(1);
  const started = (await b.story.timeline(id)).filter(({ event_type }) => event_type === "agent_started");
  expect(started).toHaveLength(1);
  for (const { server } of [a, b]) expect(server.log()).not.toContain('"level":"error"');
});

test("a run on a worker is cancelled through the server that the worker does not beat at", async () => {
  const { a, b, start } = await workerOfTwo(WAITS);
  const ids = [await start(), await start()];
  for (const id of ids) await waitFor(async () => (await a.story.run(id)).state === "INPROGRESS");
  await a.server.api("POST", `/agent/runs/${ids[0]}/cancel`);
  await b.server.api("POST", `/agent/runs/${ids[1]}/cancel`);
  for (const id of ids) expect((await a.story.ended(id)).state).toBe("CANCELLED");
});

test("an agent on a worker goes on when the server that it beats at is killed", async () => {
  const { a, b, start } = await workerOfTwo(WAITS);
  const id = await start();
  await waitFor(async () => (await a.story.run(id)).state === "INPROGRESS");
  await b.server.kill();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  expect((await a.story.run(id)).state).toBe("INPROGRESS");
  await a.server.api("POST", `/agent/runs/${id}/cancel`);
  expect((await a.story.ended(id, 20)).state).toBe("CANCELLED");
});

const RUNS = 6;

/**
 * Has so many servers, whose requests of clients, workers and agents go to one after the other, execute the same runs.
 * @returns all that can be read of these runs, without what differs from run to run
 */
async function toldBy(count: number) {
  // Where the machine is slow, no turn is lost.
  const settings = { ...SETTINGS, MILLRACE_WORKER_LEASE: "60s" };
  const { servers } = await severalServers(count, { settings, files: GRANTED });
  const [a] = servers;
  if (!a) throw new Error("a server was asked for");
  const url = await alternatingProxy(servers.map(({ server }) => server.url));
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: text });
    return (await answer.json()) as Body;
  };
  await aWorker(a.server, { agent: ENDS, reachesAt: url });
  const ids: string[] = [];
  const atCapacity: boolean[] = [];
  const start = async (n: number) => {
    const answer = await call<{ run_id: string; at_capacity: boolean }>("POST", "/agent/runs", {
      prompt: "Do it.",
      title: `run ${n}`,
      config: { worker_host: "builder" },
    });
    ids.push(answer.run_id);
    atCapacity.push(answer.at_capacity);
    await a.story.ended(answer.run_id, 50);
  };
  for (let n = 0; n < RUNS; n += 1) await start(n);

  /** What each server says is what all say. */
  const sayAll = async <Told>(path: string): Promise<Told> => {
    const told = await Promise.all(
      servers.map(async ({ server }) => {
        const text = JSON.stringify(await server.api("GET", path));
        // Each links to itself, unless the settings say where clients reach them all.
        return JSON.parse(text.replaceAll(server.url, "")) as Told;
      }),
    );
    for (const each of told) expect(each).toEqual(told[0]);
    return told[0] as Told;
  };
  const runs = [];
  for (const id of ids) {
    const { title, state, status_message } = await sayAll<Record<string, unknown>>(`/agent/runs/${id}`);
    const timeline = await a.story.timeline(id);
    for (const { story } of servers) {
      expect(await story.timeline(id)).toEqual(timeline);
      expect(await story.transcript(id)).toBe(await a.story.transcript(id));
    }
    runs.push({ title, state, status_message, events: timeline.map(({ event_type }) => event_type) });
  }
  await sayAll("/agent/runs?limit=50");
  const metrics = await Promise.all(servers.map(async ({ server }) => (await server.metrics()).text()));
  /** Each server counts what it hears; together they count each once. */
  const sum = (name: RegExp) =>
    metrics
      .flatMap((text) => text.split("\n").filter((line) => name.test(line)))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  return {
    ...{ runs, atCapacity },
    started: sum(/^millrace_run_wait_seconds_count\{/),
    ended: sum(/^millrace_runs_ended_total\{/),
    durations: sum(/^millrace_run_duration_seconds_count\{/),
    warnings: servers.flatMap(({ server }) => server.log().match(/let them fall back[^"]*/g) ?? []),
  };
}

test("two servers that are asked in turn, by clients and by a worker, tell what a single one does", async () => {
  const one = await toldBy(1);
  const two = await toldBy(2);
  expect(one).toMatchObject({ started: RUNS, ended: RUNS, durations: RUNS, warnings: [] });
  expect(two).toEqual(one);
}, 240_000);

/** Has so many servers with two slots together execute runs that last. @returns what the answers to requests say of their room */
async function roomToldBy(count: number) {
  const settings = { MILLRACE_RUN_CONCURRENCY: String(2 / count) };
  const { servers } = await severalServers(count, { settings, agent: WAITS });
  const [a] = servers;
  if (!a) throw new Error("a server was asked for");
  // Each server has said that it is there.
  await waitFor(async () => {
    const lists = await Promise.all(
      servers.map(({ server }) => server.api<{ servers: { status: string }[] }>("GET", "/servers")),
    );
    return lists.every((list) => list.servers.length === count) || undefined;
  }, 30);
  const told = [];
  // More than half of them are asked of one server.
  for (const asked of [0, 0, 0, 1, 0]) {
    const { server } = servers[asked % count] ?? a;
    const run = await server.api<{ run_id: string; at_capacity: boolean }>("POST", "/agent/runs", {
      prompt: "Wait.",
    });
    told.push(run.at_capacity);
    const hasBegun = async () => (await a.story.run(run.run_id)).state === "INPROGRESS" || undefined;
    if (!run.at_capacity) await waitFor(hasBegun, 50);
  }
  return told;
}

test("servers that execute runs themselves tell of the room of all of them", async () => {
  const one = await roomToldBy(1);
  expect(one).toEqual([false, false, true, true, true]);
  expect(await roomToldBy(2)).toEqual(one);
}, 240_000);

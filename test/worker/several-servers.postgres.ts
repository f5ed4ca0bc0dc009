import { expect, test } from "vitest";
import { alternatingProxy } from "../given/alternating-proxy.ts";
import { waitFor } from "../given/server.ts";
import { OWN_SECRET, severalServers } from "../given/several-servers.ts";
import { aWorker } from "../given/worker.ts";

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

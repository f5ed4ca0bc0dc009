// `npm run bench:api`: the run API with a million runs stored. Pages are asked for one after the other, the p95 of each
// kind is what counts; creations come from 64 connections at once. Needs wrk.
import { Agent, get as httpGet } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { startGate } from "./given/gate.mjs";
import { machine, median, scratchFolder } from "./given/measure.mjs";
import { ADMIN_KEY } from "./given/server.mjs";
import { runNumber, storeRuns } from "./given/stored-runs.mjs";
import { load, requireWrk } from "./given/wrk.mjs";

const STORED = Number(process.env.BENCH_STORED ?? 1_000_000);
const DEPTH = Math.floor(STORED / 5);
const PAGES = 100;
const ROUNDS = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

requireWrk();
const folder = scratchFolder("api");
const first = await startGate(folder);
await first.stop();
console.log(`storing ${STORED} runs …`);
storeRuns(join(folder, "data", "millrace.db"), STORED);
const server = await startGate(folder);
const someRun = runNumber(Math.floor(STORED / 3), STORED);
const instant = (part) => new Date(runNumber(Math.floor(STORED * part), STORED).created).toISOString();

const FILTERS = {
  none: "",
  state: "state=SUCCEEDED",
  "state, rare": "state=BLOCKED",
  "state, several": "state=FAILED&state=ERROR&state=CANCELLED",
  "state, none": "state=QUEUED",
  task_status: "task_status=failed",
  source: "source=CUSTOM_WEBHOOK",
  "source, rare": "source=WEB_APP",
  name: "name=name-7",
  model_id: "model_id=model-1",
  creator: "creator=creator-3",
  executor: "executor=executor-3",
  execution_location: "execution_location=REMOTE",
  created_after: `created_after=${instant(0.5)}`,
  created_before: `created_before=${instant(0.5)}`,
  "created_before, long ago": `created_before=${instant(0.05)}`,
  updated_after: `updated_after=${instant(0.5)}`,
  environment_id: "environment_id=environment00000000007",
  "environment_id, none": "environment_id=empty-environment",
  skill: "skill=deploy-3",
  schedule_id: "schedule_id=schedule-1",
  ancestor_run_id: `ancestor_run_id=${runNumber(7, STORED).id}`,
  metadata: "metadata%5Bticket_source%5D=jira",
  "metadata, rare": "metadata%5Bticket_id%5D=T-77",
  artifact_type: "artifact_type=PLAN",
  automation_id: "automation_id=automation-7",
  factory_uid: "factory_uid=factory-a",
  "factory_uid, rare": "factory_uid=factory-e",
  factory_only: "factory_only=true",
};
const COMBINATIONS = {
  "sorted by created_at": "sort_by=created_at",
  "sorted by title": "sort_by=title&sort_order=asc",
  "sorted by agent": "sort_by=agent&sort_order=asc",
  "state and name": "state=FAILED&name=name-7",
  "three filters, by title": "state=FAILED&source=API&model_id=model-1&sort_by=title",
  "filters that exclude each other": "name=name-7&automation_id=automation-8",
  "excluding, by title": "name=name-7&automation_id=automation-8&sort_by=title",
  "excluding, by created_at, oldest first":
    "state=SUCCEEDED&environment_id=empty-environment&name=name-1&automation_id=automation-2&sort_by=created_at&sort_order=asc",
  "long ago and failed": `state=FAILED&created_before=${instant(0.02)}`,
  "metadata and state, by title": "metadata%5Bticket_source%5D=jira&state=FAILED&sort_by=title",
  "a skill by title": "skill=deploy-3&sort_by=title",
  "a run that none repeats": `rerun_of=${someRun.id}`,
  "several states of an automation, by created_at":
    "state=FAILED&state=ERROR&state=BLOCKED&automation_id=automation-2&sort_by=created_at",
  "an agent's failed runs of a factory, by created_at": `executor=executor-3&state=FAILED&factory_uid=factory-b&created_after=${instant(0.9)}&sort_by=created_at`,
  "states, sources and factories":
    "state=FAILED&state=ERROR&source=API&source=CLI&factory_uid=factory-b&factory_uid=factory-c&updated_after=2020-01-01T00:00:00Z",
};
const SEARCHES = {
  "q, found": "q=billing",
  "q, two words": "q=build+search",
  "q, found nowhere": "q=nowhere+to+be+found",
  "q, the beginning of an id": `q=${someRun.id.slice(0, 33)}`,
  "q, the beginning of every id, sorted by created_at": `q=${someRun.id.slice(0, 13)}&sort_by=created_at`,
  "q, the beginning of every id, and a rare state": `q=${someRun.id.slice(0, 13)}&state=BLOCKED`,
};

const rows = [];
for (const [name, query] of Object.entries(FILTERS)) await measure(`first page: ${name}`, query, 20);
for (const name of ["none", "state", "source", "factory_uid", "created_after", "environment_id, none"]) {
  await measure(
    `after ${DEPTH} rows: ${name}`,
    `${FILTERS[name]}&cursor=${await cursorAfter(FILTERS[name], DEPTH)}`,
    20,
  );
}
for (const [name, query] of Object.entries(COMBINATIONS)) await measure(`combination: ${name}`, query, 250);
for (const [name, query] of Object.entries(SEARCHES)) await measure(name, query, 100);
await measurePath("get a run", `/agent/runs/${someRun.id}`, 5);

const created = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const result = await load(`${server.url}/api/v1/agent/runs`, {
    token: ADMIN_KEY,
    seconds: SECONDS,
    script: "creations.lua",
  });
  if (result.failed + result.refused > 0)
    throw new Error(`${result.failed} failed, ${result.refused} were refused`);
  created.push(result.perSecond);
}

console.log(
  `\nThe run API with ${STORED} runs stored\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`,
);
let missed = 0;
for (const { name, p50, p95, goal, found } of rows) {
  const met = p95 <= goal;
  if (!met) missed += 1;
  console.log(
    `${name.padEnd(58)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms  (goal <= ${goal}) ${met ? "met" : "MISSED"}  ${found}`,
  );
}
const rate = median(created);
console.log(
  `${"create, durable".padEnd(58)} ${Math.round(rate)}/s  (goal >= 1500) ${rate >= 1_500 ? "met" : "MISSED"}`,
);
console.log(`${"".padEnd(58)} samples: ${created.map(Math.round).join(", ")}`);
if (missed > 0 || rate < 1_500) process.exitCode = 1;
await server.stop();
process.exit();

async function measure(name, query, goal) {
  await measurePath(name, `/agent/runs?${query}`, goal);
}

async function measurePath(name, path, goal) {
  const samples = [];
  let found = "";
  for (let warming = 0; warming < 5; warming += 1) await get(path);
  for (let page = 0; page < PAGES; page += 1) {
    const start = performance.now();
    const answer = await get(path);
    samples.push(performance.now() - start);
    found = answer.runs ? `${answer.runs.length} runs` : "";
  }
  samples.sort((a, b) => a - b);
  rows.push({ name, goal, found, p50: median(samples), p95: samples[Math.ceil(PAGES * 0.95) - 1] });
}

/** One connection that is kept: what is measured is the server, and as little as can be of this client. */
function get(path) {
  return new Promise((resolve, reject) => {
    httpGet(
      `${server.url}/api/v1${path}`,
      { agent, headers: { authorization: `Bearer ${ADMIN_KEY}` } },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`GET ${path} answered ${answer.statusCode}`));
        else json(answer).then(resolve, reject);
      },
    ).on("error", reject);
  });
}

async function cursorAfter(query, depth) {
  let cursor = "";
  for (let seen = 0; seen < depth; seen += 500) {
    const { page_info } = await server.api(
      "GET",
      `/agent/runs?limit=500&${query}${cursor && `&cursor=${cursor}`}`,
    );
    if (!page_info.has_next_page) throw new Error(`the list ends after ${seen} rows`);
    cursor = page_info.next_cursor;
  }
  // Another limit is another query to the server only in its size: the cursor goes with the filters.
  return cursor;
}

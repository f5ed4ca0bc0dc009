// `npm run bench:more -- windows`: what keys and windows of deliveries cost. Deliveries a second that each join a window, as a multiple of an
// Express route that answers 202 and does nothing else, in the same rounds; how soon runs start while 100,000 windows are open; and
// how soon after the end of a window its run starts.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { markingAgent, quantile, startDelays } from "../given/start-delays.mjs";
import { load, requireWrk, startListener } from "../given/wrk.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const WINDOWS = Number(process.env.BENCH_WINDOWS ?? 100_000);
const STARTS = Number(process.env.BENCH_STARTS ?? 40);

const automation = (webhook, block) =>
  `---\ntriggers: [{ provider: webhook, event: received, millrace: { webhooks: [${webhook}] } }]\nmillrace: ${block}\n---\nDo something about it.\n`;
const FILES = {
  ...Object.fromEntries(
    ["join", "open", "soon"].map((name) => [`webhooks/${name}.yaml`, "secretName: BENCH_SECRET\n"]),
  ),
  "automations/join.md": automation(
    "join",
    '{ concurrency: { key: "{{run}}", whileRunning: join }, debounce: { quiet: 1h } }',
  ),
  "automations/open.md": automation(
    "open",
    '{ concurrency: { key: "{{n}}", whileRunning: join }, debounce: { quiet: 12h, longest: 24h } }',
  ),
  "automations/soon.md": automation("soon", '{ concurrency: { key: "{{n}}" }, debounce: { quiet: 1s } }'),
};

requireWrk();
const baseline = await startListener(process.execPath, [
  fileURLToPath(new URL("../given/express-baseline.mjs", import.meta.url)),
]);
const agent = markingAgent();
const folder = scratchFolder("windows");
const gate = await startGate(
  folder,
  { MILLRACE_AGENT_COMMAND: agent.command, MILLRACE_RUN_CONCURRENCY: "4" },
  { files: FILES },
);
const workspaces = join(folder, "data", "workspaces");
console.log(
  `\nKeys and windows\n${new Date().toISOString().slice(0, 10)}, ${machine()}, 64 connections, 800-byte bodies\n`,
);

await measureJoining();
const before = await startDelays(gate, { url: gate.runs, workspaces, count: STARTS });
await openWindows();
const during = await startDelays(gate, { url: gate.runs, workspaces, count: STARTS });
report("start of a run without a key", before);
report(`the same while ${WINDOWS.toLocaleString("en")} windows are open`, during);
const ends = await windowEnds();
report("start of a run after the end of its window", ends, 50);
process.exit();

async function measureJoining() {
  const ratios = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 2 : SECONDS;
    const base = await load(`${baseline.url}/webhooks/w/x`, { seconds });
    const joined = await load(gate.urlOf("join"), { token: TOKEN, seconds });
    if (joined.failed + joined.refused > 0) throw new Error(`${joined.failed + joined.refused} were refused`);
    if (round > 0) ratios.push({ ratio: joined.perSecond / base.perSecond, rate: joined.perSecond });
    await gate.listed();
  }
  const ratio = median(ratios.map((each) => each.ratio));
  const rate = Math.round(median(ratios.map((each) => each.rate)));
  console.log(
    `accepted, each joins a window: ${rate}/s, ${ratio.toFixed(2)}x the baseline (goal 0.5) ${ratio >= 0.5 ? "met" : "MISSED"}`,
  );
}

/** One window for each delivery. */
async function openWindows() {
  const began = performance.now();
  let open = 0;
  while (open < WINDOWS) open += (await load(gate.urlOf("open"), { token: TOKEN, seconds: 5 })).requests;
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${open} windows opened: ${Math.round(open / seconds)}/s`);
  await gate.listed();
}

/** From the end of a window, which is a second after its delivery, until its agent is started; in ms, sorted. */
async function windowEnds() {
  const delays = [];
  for (let n = 0; n < STARTS; n += 1) {
    const answer = await fetch(gate.urlOf("soon"), {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ n: `soon-${n}` }),
    });
    const { delivery_id } = await answer.json();
    const delivery = await gate.api("GET", `/factories/bench/deliveries/${delivery_id}`);
    const run = await gate.api("GET", `/agent/runs/${delivery.run_ids[0]}?wait=30s`);
    if (run.state !== "SUCCEEDED") throw new Error(`run ${run.run_id} is ${run.state}`);
    delays.push(Date.parse(run.started_at) - Date.parse(delivery.time) - 1_000);
    await sleep(Math.random() * 50);
  }
  return delays.sort((a, b) => a - b);
}

function report(what, delays, goal) {
  const p50 = quantile(delays, 0.5);
  const verdict = goal === undefined ? "" : ` (goal p50 <= ${goal} ms) ${p50 <= goal ? "met" : "MISSED"}`;
  console.log(`${what}: p50 ${p50.toFixed(0)} ms, p95 ${quantile(delays, 0.95).toFixed(0)} ms${verdict}`);
}

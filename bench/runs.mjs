// `npm run bench:runs`: how long a run waits for its agent, how many short runs a minute holds against a plain loop that
// makes the same files and starts the same program, and what runs that write together do to the ingress. Needs wrk.
// BENCH_SANDBOX names the sandbox, none without it.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drainRate } from "./given/drain-rate.mjs";
import { startGate, TOKEN } from "./given/gate.mjs";
import { machine, median, scratchFolder, timed } from "./given/measure.mjs";
import { plainLoop } from "./given/plain-loop.mjs";
import { load, requireWrk } from "./given/wrk.mjs";

const SANDBOX = process.env.BENCH_SANDBOX ?? "none";
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const STARTS = Number(process.env.BENCH_STARTS ?? 400);
const QUEUED = Number(process.env.BENCH_QUEUED ?? 10_000);
const AT_ONCE = 4;
/** How many execute side by side where the rate is measured, here and in the loop. */
const SIDE_BY_SIDE = 16;
const WRITERS = 16;
const WRITTEN_MIB = 48;

requireWrk();
console.log(`\nRuns\n${new Date().toISOString().slice(0, 10)}, ${machine()}, sandbox ${SANDBOX}\n`);
const missed = [
  await measureStarts(scratchFolder("starts")),
  await measureRate(scratchFolder("rate")),
  await measureWriters(scratchFolder("writers")),
].flat();
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}

/** From the answer to the request until the first instruction of the agent, so many clients at once. */
async function measureStarts(folder) {
  const scripts = scratchFolder("scripts");
  chmodSync(scripts, 0o755);
  const agent = join(scripts, "agent.sh");
  writeFileSync(agent, 'echo "$EPOCHREALTIME" > mark\n');
  const server = await startGate(folder, {
    MILLRACE_AGENT_COMMAND: `bash ${agent}`,
    MILLRACE_RUN_CONCURRENCY: String(AT_ONCE),
    MILLRACE_SANDBOX: SANDBOX,
    MILLRACE_SANDBOX_PATHS: scripts,
  });
  const answered = new Map();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let n = 0; n < STARTS / AT_ONCE; n += 1) {
        const { run_id } = await server.api("POST", "/agent/runs", { prompt: "Do it." });
        answered.set(run_id, Date.now());
        await server.api("GET", `/agent/runs/${run_id}?wait=30s`);
      }
    }),
  );
  await server.stop();
  const waits = [...answered]
    .map(([id, at]) => [Number(readFileSync(join(folder, "data", "workspaces", id, "mark"), "utf8")), at])
    // An agent can be there before the answer has reached its client.
    .map(([seconds, at]) => Math.max(0, seconds * 1_000 - at))
    .sort((a, b) => a - b);
  const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))];
  console.log(
    `accept to agent started, ${AT_ONCE} at once: p50 ${at(0.5).toFixed(0)} ms (goal 50), p99 ${at(0.99).toFixed(0)} ms (goal 250)`,
  );
  return [...(at(0.5) > 50 ? ["start p50"] : []), ...(at(0.99) > 250 ? ["start p99"] : [])];
}

/** Runs that wait already, to the last one's end, against the loop; interleaved. */
async function measureRate(folder) {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await drainRate(join(folder, String(round)), {
      queued: QUEUED,
      atOnce: SIDE_BY_SIDE,
      sandbox: SANDBOX,
    });
    const loop = await plainLoop(join(folder, `loop-${round}`), {
      runs: QUEUED,
      atOnce: SIDE_BY_SIDE,
      sandbox: SANDBOX,
    });
    ratios.push(ours / loop);
    console.log(`  round ${round + 1}: ${ours.toFixed(0)} runs/s, the loop ${loop.toFixed(0)}/s`);
  }
  console.log(
    `${QUEUED} runs of \`true\`: ${median(ratios).toFixed(2)} x the rate of a plain loop (goal 0.5)`,
  );
  return median(ratios) < 0.5 ? ["rate"] : [];
}

/** Runs that write as much as they can, and what the ingress takes meanwhile. */
async function measureWriters(folder) {
  const scripts = scratchFolder("writer");
  chmodSync(scripts, 0o755);
  const server = await startGate(folder, {
    MILLRACE_AGENT_COMMAND: `bash ${writer(scripts)}`,
    MILLRACE_RUN_CONCURRENCY: String(WRITERS),
    MILLRACE_SANDBOX: SANDBOX,
    MILLRACE_SANDBOX_PATHS: scripts,
  });
  await load(server.plain, { token: TOKEN, seconds: 2 });
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await besideWriters(server));
  await server.stop();
  for (const [index, { rate, alone, beside }] of rounds.entries()) {
    console.log(
      `  round ${index + 1}: ${rate.toFixed(0)} MB/s; ingress p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside them`,
    );
  }
  const rate = median(rounds.map((round) => round.rate));
  const slower = median(rounds.map(({ alone, beside }) => beside / alone));
  console.log(
    `${WRITERS} runs writing together: ${rate.toFixed(0)} MB/s (goal 30), ingress p99 ${slower.toFixed(1)} x (goal 2)`,
  );
  return [...(rate < 30 ? ["transcript rate"] : []), ...(slower > 2 ? ["ingress p99"] : [])];
}

/** @returns what the runs wrote, in MB/s, and the p99 of deliveries alone and meanwhile, in ms */
async function besideWriters(server) {
  const alone = await load(server.plain, { token: TOKEN, seconds: 5 });
  let beside;
  const ms = await timed(async () => {
    const ids = [];
    for (let n = 0; n < WRITERS; n += 1)
      ids.push((await server.api("POST", "/agent/runs", { prompt: "Write." })).run_id);
    beside = load(server.plain, { token: TOKEN, seconds: 5 });
    for (const id of ids) await ended(server, id);
  });
  const rate = (WRITERS * WRITTEN_MIB * 1.048576 * 1_000) / ms;
  return { rate, alone: alone.p99, beside: (await beside).p99 };
}

function writer(folder) {
  const file = join(folder, "writer.sh");
  writeFileSync(
    file,
    `yes "a line of output as agents write it, of some length" | head -c ${WRITTEN_MIB * 1024 * 1024}\n`,
  );
  return file;
}

async function ended(server, id) {
  for (;;) {
    const { state } = await server.api("GET", `/agent/runs/${id}?wait=30s`);
    if (state === "SUCCEEDED") return;
    if (state !== "INPROGRESS" && state !== "QUEUED" && state !== "CLAIMED")
      throw new Error(`run ${id} is ${state}`);
  }
}

// `npm run bench:more -- workers`: how much later an agent starts on a worker than on the server itself, and what many workers and
// many runs that wait for one cost the ingress and the memory of the server. Needs wrk.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { PROGRAM } from "../given/server.mjs";
import { markingAgent, quantile, startDelays } from "../given/start-delays.mjs";
import { load, requireWrk, startListener } from "../given/wrk.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const STARTS = Number(process.env.BENCH_STARTS ?? 40);
const WORKERS = Number(process.env.BENCH_WORKERS ?? 200);
const WAITING = Number(process.env.BENCH_QUEUED ?? 2_000);
const NOBODY = "labels:that-nobody-has";

requireWrk();
console.log(`\nWorkers\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
const missed = [...(await measureDispatch()), ...(await measureCrowd())];
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}
process.exit();

/** From the answer to a delivery until the first instruction of its agent, here and on a worker, interleaved. */
async function measureDispatch() {
  const folder = scratchFolder("dispatch");
  const agent = markingAgent();
  const env = {
    MILLRACE_AGENT_COMMAND: agent.command,
    MILLRACE_SANDBOX: "none",
    MILLRACE_SANDBOX_PATHS: agent.folder,
  };
  const files = {
    "webhooks/remote.yaml": "secretName: BENCH_SECRET\n",
    "automations/remote.md":
      "---\nworkerHost: bench\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [remote] }\n---\nDo something about it.\n",
  };
  const server = await startGate(folder, env, { files });
  const stopWorker = await startWorker(server, { folder, env });
  const places = [
    { name: "here", url: server.runs, workspaces: join(folder, "data", "workspaces") },
    {
      name: "on a worker",
      url: server.urlOf("remote"),
      workspaces: join(folder, "worker", "workspaces"),
    },
  ];
  const all = new Map(places.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const place of places) {
      const delays = await startDelays(server, { ...place, count: round === 0 ? 2 : STARTS });
      if (round > 0) all.get(place.name).push(...delays);
    }
  }
  await stopWorker();
  await server.stop();
  for (const [name, delays] of all) {
    delays.sort((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((part) => quantile(delays, part).toFixed(1));
    console.log(`accept to agent started ${name}: p50 ${p50} ms, p95 ${p95} ms`);
  }
  const [here, remote] = [...all.values()].map((delays) => quantile(delays, 0.5));
  console.log(`on a worker ${(remote - here).toFixed(1)} ms later at p50 (goal 25)`);
  return remote - here > 25 ? ["dispatch"] : [];
}

/** @returns what stops it */
async function startWorker(server, { folder, env }) {
  const { token } = await server.api("POST", "/workers", { name: "bench" });
  const tokenFile = join(folder, "worker.token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = ["--server", server.url, "--token-file", tokenFile, "--data-dir", join(folder, "worker")];
  const worker = await startListener(process.execPath, [PROGRAM, "worker", ...args], {
    env: { ...env, MILLRACE_LOG_LEVEL: "error" },
    announces: /executes runs of (\S+)/,
  });
  return worker.stop;
}

/** The ingress with many workers that ask for runs, none of which they can have, against the same server without. */
async function measureCrowd() {
  const alone = await startGate(scratchFolder("alone"));
  const crowded = await startGate(scratchFolder("crowded"));
  await fill(crowded);
  const tokens = [];
  for (let n = 0; n < WORKERS; n += 1)
    tokens.push((await crowded.api("POST", "/workers", { name: `worker-${n}` })).token);
  for (const server of [alone, crowded]) await load(server.plain, { token: TOKEN, seconds: 2 });
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await load(alone.plain, { token: TOKEN, seconds: SECONDS });
    const before = residentKib(crowded.pid);
    const stop = await connect(crowded.url, tokens);
    await sleep(SECONDS * 1_000);
    const grown = residentKib(crowded.pid) - before;
    const beside = await load(crowded.plain, { token: TOKEN, seconds: SECONDS });
    await stop();
    rounds.push({ without: without.p99, beside: beside.p99, grown: Math.max(0, grown) / 1_024 / WORKERS });
  }
  await Promise.all([alone.stop(), crowded.stop()]);
  for (const [index, { without, beside, grown }] of rounds.entries()) {
    console.log(
      `  round ${index + 1}: ingress p99 ${without.toFixed(1)} ms without, ${beside.toFixed(1)} ms with them; ${grown.toFixed(2)} MiB a worker`,
    );
  }
  const of = (key) => median(rounds.map((round) => round[key]));
  const slower = of("beside") / of("without");
  console.log(
    `${WORKERS} workers and ${WAITING} runs that none can have: ingress p99 ${slower.toFixed(2)} x (goal 2), ${of("grown").toFixed(2)} MiB of the server a worker (goal 1)`,
  );
  return [...(slower > 2 ? ["ingress p99"] : []), ...(of("grown") > 1 ? ["memory"] : [])];
}

async function fill(server) {
  for (let n = 0; n < WAITING; n += 100) {
    const some = Array.from({ length: Math.min(100, WAITING - n) }, () =>
      server.api("POST", "/agent/runs", { prompt: "Do it.", config: { worker_host: NOBODY } }),
    );
    await Promise.all(some);
  }
}

/** @returns what takes them away again */
async function connect(server, tokens) {
  const script = fileURLToPath(new URL("../given/protocol-clients.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, server], { stdio: ["pipe", "pipe", "inherit"] });
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  child.stdin.end(tokens.join("\n"));
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`the workers ended with ${code}`)));
  });
  return () =>
    new Promise((resolve) => {
      process.off("exit", end);
      child.once("exit", resolve);
      end();
    });
}

function residentKib(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

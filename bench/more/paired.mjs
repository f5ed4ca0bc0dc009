// `npm run bench:more -- paired`: this build against that of the first release, in the same rounds: how soon agents start, deliveries,
// pages of runs, and short runs. Every figure is a ratio. BENCH_BEFORE=FOLDER takes the built checkout in that folder instead. A
// comparison with the build before alone lets many small losses through. Needs wrk, and once git and the npm registry.
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { drainRate } from "../given/drain-rate.mjs";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { ADMIN_KEY, PROGRAM } from "../given/server.mjs";
import { markingAgent, quantile, startDelays } from "../given/start-delays.mjs";
import { load, requireWrk } from "../given/wrk.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const STARTS = Number(process.env.BENCH_STARTS ?? 40);
const QUEUED = Number(process.env.BENCH_QUEUED ?? 2_000);
/** How much slower agents may start, and what part of the rates has to be left. */
const MAX_DELAY = 1.1;
const MIN_RATE = 0.95;

/** Version 0.1.0. */
const FIRST_RELEASE = "5f1157530a9fb28cab3253de7af31430679a3f3e";

requireWrk();
const before = resolve(process.env.BENCH_BEFORE ?? checkoutOfFirstRelease(), "dist", "main.js");
if (!existsSync(before)) {
  console.error(
    `There is no build at ${before}. BENCH_BEFORE has to be the folder of a checkout in which \`npm run build\` was run.`,
  );
  process.exit(2);
}
const BUILDS = { before, now: PROGRAM };

console.log(
  `\nPaired with ${process.env.BENCH_BEFORE ? "an earlier build" : "version 0.1.0"}\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`,
);
const missed = [...(await measureStarts()), ...(await measureRequests()), ...(await measureRuns())];
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}
process.exit();

/** The built checkout of the first release, which is made once, in the user's folder of caches. */
function checkoutOfFirstRelease() {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(caches, "millrace-bench", FIRST_RELEASE);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const run = (program, args, cwd = unfinished) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  console.log("Building version 0.1.0 once; this takes a few minutes.");
  run("git", ["clone", "--quiet", "--no-checkout", root, unfinished], root);
  run("git", ["checkout", "--quiet", FIRST_RELEASE]);
  run("npm", ["ci", "--silent"]);
  run("npm", ["run", "build", "--silent"]);
  renameSync(unfinished, folder);
  return folder;
}

/** From the answer to a delivery until the first instruction of its agent. */
async function measureStarts() {
  const agent = markingAgent();
  const env = {
    MILLRACE_AGENT_COMMAND: agent.command,
    MILLRACE_SANDBOX: "none",
    MILLRACE_SANDBOX_PATHS: agent.folder,
  };
  const gates = await gatesOf(env);
  const rounds = await interleaved(async (build, isWarmUp) => {
    const { server, folder } = gates[build];
    const workspaces = join(folder, "data", "workspaces");
    const delays = await startDelays(server, {
      url: server.runs,
      workspaces,
      count: isWarmUp ? 2 : STARTS,
    });
    return quantile(delays, 0.5);
  });
  await stopAll(gates);
  return conclude(
    "accept to agent started, p50 in ms",
    rounds,
    (ratio) => ratio <= MAX_DELAY,
    `<= ${MAX_DELAY}`,
  );
}

async function measureRequests() {
  const gates = await gatesOf({});
  const cases = [
    ["deliveries/s that nothing matches", ({ plain }) => [plain, { token: TOKEN }]],
    ["deliveries/s that each start a run", ({ runs }) => [runs, { token: TOKEN }]],
    [
      "pages of 50 runs/s",
      ({ url }) => [`${url}/api/v1/agent/runs?limit=50`, { token: ADMIN_KEY, script: "pages.lua" }],
    ],
  ];
  const all = [];
  for (const [name, of] of cases) {
    const rounds = await interleaved(async (build, isWarmUp) => {
      const { server } = gates[build];
      const [url, how] = of(server);
      const { perSecond, failed, refused } = await load(url, { ...how, seconds: isWarmUp ? 1 : SECONDS });
      if (failed + refused > 0) throw new Error(`${name}: ${failed + refused} failed or were refused`);
      // What the list of runs has to catch up with is no part of the next case.
      await server.listed();
      return perSecond;
    });
    all.push(...conclude(name, rounds, (ratio) => ratio >= MIN_RATE, `>= ${MIN_RATE}`));
  }
  await stopAll(gates);
  return all;
}

async function measureRuns() {
  const folder = scratchFolder("drain");
  let drained = 0;
  const rounds = await interleaved((build, isWarmUp) => {
    drained += 1;
    return drainRate(join(folder, String(drained)), {
      queued: isWarmUp ? 50 : QUEUED,
      atOnce: 16,
      sandbox: "none",
      program: BUILDS[build],
    });
  });
  return conclude("short runs/s", rounds, (ratio) => ratio >= MIN_RATE, `>= ${MIN_RATE}`);
}

/** A server of each build. */
async function gatesOf(env) {
  const gates = {};
  for (const [build, program] of Object.entries(BUILDS)) {
    const folder = scratchFolder(build);
    gates[build] = { folder, server: await startGate(folder, env, { program }) };
  }
  return gates;
}

function stopAll(gates) {
  return Promise.all(Object.values(gates).map(({ server }) => server.stop()));
}

/** Measures both builds in each round, and each of them first in every other one. The first round warms up. */
async function interleaved(measure) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const builds = Object.keys(BUILDS);
    if (round % 2 === 1) builds.reverse();
    const figures = {};
    for (const build of builds) figures[build] = await measure(build, round === 0);
    if (round > 0) rounds.push(figures);
  }
  return rounds;
}

/** @returns the name, where the median of the ratios is not within its bound */
function conclude(name, rounds, isWithin, goal) {
  const ratio = median(rounds.map(({ before, now }) => now / before));
  const of = (build) => median(rounds.map((figures) => figures[build])).toFixed(1);
  console.log(
    `${name.padEnd(38)} before ${of("before").padStart(9)}, now ${of("now").padStart(9)}: ${ratio.toFixed(2)} x (goal ${goal})`,
  );
  console.log(
    `${"".padEnd(38)} samples: ${rounds.map(({ before, now }) => (now / before).toFixed(2)).join(", ")}`,
  );
  return isWithin(ratio) ? [] : [name];
}

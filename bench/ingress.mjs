// `npm run bench:ingress`: deliveries a second as multiples of an Express route that answers 202 and does nothing else,
// both under the same load in the same run, interleaved, medians of five rounds. Every accepted delivery is synced to the
// disk before its answer. BENCH_RAW=FILE keeps the raw samples.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startGate, TOKEN } from "./given/gate.mjs";
import { machine, median, scratchFolder } from "./given/measure.mjs";
import { PEERS } from "./given/peers.mjs";
import { load, requireWrk, startListener } from "./given/wrk.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);

requireWrk();
const folder = scratchFolder("ingress");
const baseline = await startListener(process.execPath, [
  fileURLToPath(new URL("./given/express-baseline.mjs", import.meta.url)),
]);
const gate = await startGate(folder);
const strict = await startGate(scratchFolder("strict"), {
  MILLRACE_DELIVERIES_PER_MINUTE: "60",
  MILLRACE_FAILED_AUTH_PER_MINUTE: "30",
});

const BASE = { name: "baseline: Express answers 202", url: `${baseline.url}/webhooks/w/x`, answers: 202 };
const ACCEPTED = {
  name: "accepted, no automation matches",
  url: gate.plain,
  token: TOKEN,
  answers: 202,
  goal: 1.3,
  floor: 1,
};
/** What is loaded, with the goal and the floor of its ratio to the baseline. */
const CASES = [
  BASE,
  ACCEPTED,
  {
    name: "accepted, each starts a queued run",
    url: gate.runs,
    token: TOKEN,
    answers: 202,
    goal: 1,
    floor: 0.75,
    rest: gate.listed,
  },
  { name: "refused: unknown webhook (404)", url: `${gate.url}/webhooks/w/nobody`, goal: 1.5, floor: 1 },
  { name: "refused: wrong token (60 x 401, then 429)", url: gate.plain, token: "wrong", goal: 1.5, floor: 1 },
  { name: "refused: over the delivery budget (429)", url: strict.plain, token: TOKEN, goal: 1.5, floor: 1 },
  { name: "refused: address kept out (429)", url: strict.runs, token: "wrong", goal: 1.5, floor: 1 },
];

const samples = await measure(CASES);
const raw = { cases: Object.fromEntries(samples), peers: {} };
console.log(
  `\nIngress\n${new Date().toISOString().slice(0, 10)}, ${machine()}, 64 connections, 800-byte bodies\n`,
);
for (const one of CASES) reportCase(one);
const p99 =
  median(samples.get(ACCEPTED.name).map((sample) => sample.p99)) /
  median(samples.get(BASE.name).map((sample) => sample.p99));
conclude(`p99 of accepted deliveries: ${p99.toFixed(2)}x that of the baseline (goal <= 2)`, p99 <= 2);

for (const { name, ahead, start } of PEERS) {
  const peer = await start(folder, TOKEN);
  if (!peer) continue;
  const against = await measure([ACCEPTED, { name, ...peer }]);
  peer.stop();
  const rates = [...against.values()].map((results) => median(results.map(({ perSecond }) => perSecond)));
  const ratio = ratios(against, ACCEPTED.name, name);
  raw.peers[name] = Object.fromEntries(against);
  console.log(
    `\n${name}: ${Math.round(rates[1])}/s; accepted and stored here in the same rounds: ${Math.round(rates[0])}/s`,
  );
  conclude(`ahead by ${ratio.toFixed(1)}x (goal ${ahead})`, ratio >= ahead);
}
if (process.env.BENCH_RAW) writeFileSync(process.env.BENCH_RAW, JSON.stringify(raw, null, 2));
process.exit();

/** Rounds of every case in turn; the first one warms up. @returns the results of each by its name */
async function measure(cases) {
  const results = new Map(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, url, token, answers, settle, rest } of cases) {
      const result = await load(url, { token, seconds: round === 0 ? 2 : SECONDS });
      const wrong = result.failed + (answers === 202 ? result.refused : 0);
      // A peer may drop some connections under load; ours may not.
      if (wrong > (settle ? result.requests / 10 : 0))
        throw new Error(`${name}: ${wrong} failed or were refused`);
      if (round > 0) results.get(name).push(result);
      await settle?.();
      // The list of runs follows a burst. What it costs is shown below, and is no part of the next case.
      const ended = performance.now();
      await rest?.();
      result.restSeconds = (performance.now() - ended) / 1_000;
    }
  }
  return results;
}

/** The median of the ratios of two cases, round by round. */
function ratios(results, one, other) {
  return median(
    results.get(one).map((sample, round) => sample.perSecond / results.get(other)[round].perSecond),
  );
}

function reportCase({ name, goal, floor }) {
  const results = samples.get(name);
  const ratio = ratios(samples, name, BASE.name);
  const rate = `${Math.round(median(results.map(({ perSecond }) => perSecond)))}/s`.padStart(9);
  const slowest = `p99 ${median(results.map((result) => result.p99)).toFixed(1)} ms`.padStart(14);
  const verdict =
    goal === undefined
      ? ""
      : ratio >= goal
        ? `(goal ${goal}) met`
        : ratio >= floor
          ? `(goal ${goal}) above the floor`
          : `(goal ${goal}) MISSED`;
  console.log(`${name.padEnd(42)} ${rate} ${slowest} ${ratio.toFixed(2).padStart(6)}x ${verdict}`);
  console.log(
    `${"".padEnd(42)} samples: ${results.map(({ perSecond }) => Math.round(perSecond)).join(", ")}`,
  );
  const rest = median(results.map(({ restSeconds }) => restSeconds));
  if (rest > 0.1)
    console.log(`${"".padEnd(42)} the list of runs was up to date ${rest.toFixed(1)} s after the load`);
  if (floor !== undefined && ratio < floor) process.exitCode = 1;
}

function conclude(figure, met) {
  console.log(`${figure} ${met ? "met" : "MISSED"}`);
  if (!met) process.exitCode = 1;
}

// `npm run bench:ingress`: deliveries a second as multiples of an Express route that answers 202 and does nothing, both
// under the same load in the same run, interleaved, medians of five rounds. Every delivery is synced to the disk before
// its answer.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startGate, TOKEN } from "./given/gate.mjs";
import { machine, median, scratchFolder } from "./given/measure.mjs";
import { startPeers } from "./given/peers.mjs";
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
const peers = await startPeers(folder, TOKEN);

/** What is loaded in each round, with the goal and the floor of its ratio to the baseline. */
const cases = [
  { name: "baseline: Express answers 202", url: `${baseline.url}/webhooks/w/x` },
  {
    name: "accepted, no automation matches",
    url: gate.plain,
    token: TOKEN,
    goal: 1,
    floor: 0.6,
    accepted: true,
  },
  {
    name: "accepted, each starts a queued run",
    url: gate.runs,
    token: TOKEN,
    goal: 0.6,
    floor: 0.35,
    accepted: true,
  },
  { name: "refused: unknown webhook (404)", url: `${gate.url}/webhooks/w/nobody`, goal: 1, floor: 1 },
  // 60 of them are recorded and answered 401, the rest 429.
  { name: "refused: wrong token, many addresses' worth", url: gate.plain, token: "wrong", goal: 1, floor: 1 },
  { name: "refused: over the delivery budget (429)", url: strict.plain, token: TOKEN, goal: 1, floor: 1 },
  { name: "refused: address kept out (429)", url: strict.runs, token: "wrong", goal: 1, floor: 1 },
  ...peers,
];
const samples = new Map(cases.map(({ name }) => [name, []]));

for (let round = 0; round <= ROUNDS; round += 1) {
  for (const { name, url, token, accepted, peer } of cases) {
    const result = await load(url, { token, seconds: round === 0 ? 2 : SECONDS });
    if (result.failed > 0 || ((accepted || peer) && result.refused > 0)) {
      throw new Error(`${name}: ${result.failed} failed, ${result.refused} were refused`);
    }
    // The first round warms up.
    if (round > 0) samples.get(name).push(result);
  }
}

const figure = (name, key) => median(samples.get(name).map((sample) => sample[key]));
const [{ name: base }] = cases;
console.log(
  `\nIngress\n${new Date().toISOString().slice(0, 10)}, ${machine()}, 64 connections, 800-byte bodies\n`,
);
for (const { name, goal, floor } of cases) {
  const ratios = samples
    .get(name)
    .map((sample, index) => sample.perSecond / samples.get(base)[index].perSecond);
  const ratio = median(ratios);
  const verdict =
    goal === undefined ? "" : ratio >= goal ? "met" : ratio >= floor ? "above the floor" : "MISSED";
  const rate = `${Math.round(figure(name, "perSecond"))}/s`.padStart(9);
  const p99 = `p99 ${figure(name, "p99").toFixed(1)} ms`.padStart(14);
  console.log(
    `${name.padEnd(44)} ${rate} ${p99} ${ratio.toFixed(2).padStart(6)}x ${goal ? `(goal ${goal}) ` : ""}${verdict}`,
  );
  console.log(
    `${"".padEnd(44)} samples: ${samples
      .get(name)
      .map((sample) => Math.round(sample.perSecond))
      .join(", ")}`,
  );
  if (floor !== undefined && ratio < floor) process.exitCode = 1;
}
const accepted = cases[1].name;
for (const { name, ahead } of peers) {
  const ratio = median(
    samples.get(accepted).map((sample, index) => sample.perSecond / samples.get(name)[index].perSecond),
  );
  console.log(
    `accepted deliveries, each stored, to ${name}: ${ratio.toFixed(1)}x (goal ${ahead}) ${ratio >= ahead ? "met" : "MISSED"}`,
  );
}
const p99 = figure(accepted, "p99") / figure(base, "p99");
console.log(
  `\np99 of accepted deliveries: ${p99.toFixed(2)}x that of the baseline (goal <= 2) ${p99 <= 2 ? "met" : "MISSED"}`,
);
if (p99 > 2) process.exitCode = 1;
if (process.env.BENCH_RAW)
  writeFileSync(process.env.BENCH_RAW, JSON.stringify(Object.fromEntries(samples), null, 2));
process.exit();

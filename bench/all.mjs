// `npm run bench`: every benchmark, one after the other, and docs/performance.md out of what they found. It takes about an
// hour, on a machine that has nothing else to do. BENCH_ONLY=ingress,runs chooses, and leaves what the page has of the others;
// BENCH_SMALL=1 takes tiny counts to see that they work, BENCH_PAGE another file to write, which tiny counts have to name.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { BENCHMARKS, benchmarkFile, commandOf, notMeasured } from "./given/benchmarks.mjs";
import { measuredWith } from "./given/measured-with.mjs";
import { PEERS } from "./given/peers.mjs";
import { ABOVE_THE_FLOOR, performancePage, readPerformancePage } from "./given/performance-page.mjs";
import { restedYardstick } from "./given/yardstick.mjs";

const only = process.env.BENCH_ONLY?.split(",");
const isSmall = process.env.BENCH_SMALL !== undefined;
if (isSmall && !process.env.BENCH_PAGE) {
  console.error(
    "BENCH_SMALL measures nothing that belongs into the documentation: name another file by BENCH_PAGE.",
  );
  process.exit(2);
}
const unknown = (only ?? []).filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  const names = [...new Set(BENCHMARKS.map(({ name }) => name))].join(", ");
  console.error(`BENCH_ONLY names no benchmark by "${unknown.join('", "')}": there are ${names}.`);
  process.exit(2);
}
const commit =
  spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim() || "unknown";
const file = process.env.BENCH_PAGE ?? fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const before = existsSync(file) && !isSmall ? readPerformancePage(readFileSync(file, "utf8")) : new Map();
const results = BENCHMARKS.map((benchmark) => ({
  ...notMeasured(benchmark),
  ...before.get(benchmark.title),
}));
let isEachMet = true;
for (const [place, benchmark] of BENCHMARKS.entries()) {
  if (only && !only.includes(benchmark.name)) continue;
  results[place] = await measure(benchmark);
  isEachMet &&= ["met", ABOVE_THE_FLOOR].includes(results[place].outcome);
  // Each time, so that an hour is not lost with its last minute.
  writePage();
}
console.log(`\nwrote ${file}`);
process.exitCode = isEachMet ? 0 : 1;

function writePage() {
  const said = results.map(({ output = "" }) => output).join("\n");
  const missingPeers = PEERS.map(({ name }) => name.replace(/^peer: /, "")).filter(
    (name) => !said.includes(name),
  );
  writeFileSync(file, performancePage(results, { isSmall, missingPeers }));
}

/** Lets a benchmark run to its end, and shows what it prints as it comes. */
async function measure(benchmark) {
  const { title, about, env = {}, small } = benchmark;
  console.log(`\n— ${title}`);
  const yardstickMs = isSmall ? undefined : await restedYardstick();
  const date = new Date().toISOString().slice(0, 10);
  const measured = measuredWith({ date, commit, load: loadavg()[0], yardstickMs });
  const child = spawn(process.execPath, [fileURLToPath(benchmarkFile(benchmark))], {
    env: { ...process.env, ...(isSmall ? small : {}), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const outcome = outcomeOf(code, output);
  const reason = code === 2 ? "a program that it needs is not installed (wrk)" : `it ended with ${code}`;
  return { title, about, command: commandOf(benchmark), measured, output, outcome, reason };
}

function outcomeOf(code, output) {
  if (code === 0) return output.includes(ABOVE_THE_FLOOR) ? ABOVE_THE_FLOOR : "met";
  return code === 1 && output.includes("MISSED") ? "missed" : "failed";
}

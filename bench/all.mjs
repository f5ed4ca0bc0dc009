// `npm run bench`: every benchmark, one after the other, and docs/performance.md out of what they found. It takes about an
// hour, on a machine that has nothing else to do. BENCH_ONLY=ingress,runs chooses, BENCH_SMALL=1 takes tiny counts to see
// that they work, BENCH_PAGE another file to write, which tiny counts have to name.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { machine } from "./given/measure.mjs";
import { PEERS } from "./given/peers.mjs";
import { performancePage } from "./given/performance-page.mjs";

const SMALL = { BENCH_ROUNDS: "1", BENCH_SECONDS: "1" };

const BENCHMARKS = [
  {
    name: "start",
    title: "Start",
    about: "How long a server takes on an existing store until it is ready, as one file and by Node.",
    small: { BENCH_ROUNDS: "1" },
  },
  {
    name: "ingress",
    title: "Ingress",
    about:
      "Deliveries a second as multiples of an Express route that answers 202 and does nothing else. Every accepted one is on the disk before its answer.",
    small: SMALL,
  },
  {
    name: "ingress-stored",
    title: "Ingress with stored deliveries",
    about: "What a full log costs a new delivery.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "ingress-soak",
    title: "Ingress without a pause",
    about: "Whether memory and rate stay what they were.",
    small: { BENCH_MINUTES: "1" },
  },
  {
    name: "api",
    title: "Run API",
    about: "Pages of runs by every filter, single runs, and creations, with many runs stored.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "definitions",
    title: "Definitions",
    about:
      "A large repository: from a cold start, and with one changed file. What git itself needs is taken off.",
    small: { BENCH_AUTOMATIONS: "20", BENCH_ROUNDS: "1" },
  },
  {
    name: "gitops",
    title: "GitOps",
    about:
      "Validating, planning, editing, from a push hook to the definition in force, and replaying deliveries.",
    small: { ...SMALL, BENCH_AUTOMATIONS: "20", BENCH_DELIVERIES: "200", BENCH_FILTERS: "5" },
  },
  {
    name: "dashboard",
    title: "Dashboard",
    about: "The first visit of a browser that has never been there, until data is there and a click works.",
    small: { BENCH_ROUNDS: "1", BENCH_RUNS: "5" },
  },
  ...["none", "bwrap"].map((sandbox) => ({
    name: "runs",
    title: `Runs, sandbox ${sandbox}`,
    about:
      "How soon agents start, how many short runs there are in a second, and what runs that write do to the ingress.",
    env: { BENCH_SANDBOX: sandbox },
    small: { BENCH_ROUNDS: "1", BENCH_STARTS: "8", BENCH_QUEUED: "50" },
  })),
];

const only = process.env.BENCH_ONLY?.split(",");
const isSmall = process.env.BENCH_SMALL !== undefined;
if (isSmall && !process.env.BENCH_PAGE) {
  console.error(
    "BENCH_SMALL measures nothing that belongs into the documentation: name another file by BENCH_PAGE.",
  );
  process.exit(2);
}
const load = loadavg()[0]?.toFixed(1);
const results = [];
for (const benchmark of BENCHMARKS) results.push(await measure(benchmark));
const said = results.map(({ output = "" }) => output).join("\n");
const missingPeers = PEERS.map(({ name }) => name.replace(/^peer: /, "")).filter(
  (name) => !said.includes(name),
);

const commit =
  spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim() || "unknown";
const date = new Date().toISOString().slice(0, 10);
const file = process.env.BENCH_PAGE ?? fileURLToPath(new URL("../docs/performance.md", import.meta.url));
writeFileSync(
  file,
  performancePage(results, { date, machine: machine(), load, commit, isSmall, missingPeers }),
);
console.log(`\nwrote ${file}`);
process.exitCode = results.some(({ outcome }) => outcome === "failed" || outcome === "missed") ? 1 : 0;

/** Lets a benchmark run to its end, and shows what it prints as it comes. */
async function measure({ name, title, about, env = {}, small }) {
  const prefix = Object.entries(env).map(([key, value]) => `${key}=${value} `);
  const command = `${prefix.join("")}npm run bench:${name.replace("-", ":")}`;
  if (only && !only.includes(name))
    return { title, about, command, outcome: "left out", reason: "left out by BENCH_ONLY" };
  console.log(`\n— ${title}`);
  const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, ...(isSmall ? small : {}), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const outcome = code === 0 ? "met" : code === 1 && output.includes("MISSED") ? "missed" : "failed";
  const reason = code === 2 ? "a program that it needs is not here (wrk)" : `it ended with ${code}`;
  return { title, about, command, output, outcome, reason };
}

// `npm run bench:servers`: deliveries a second on PostgreSQL, of one server, of one that is far from its database, and of three,
// as multiples of an Express route that answers 202 and does nothing else; and how soon agents start there. The rates are
// interleaved, medians of several rounds. With BENCH_GRAPHILE_WORKER=FOLDER, where that package is installed, an Express route
// that adds a job to its queue is measured too. Needs wrk, and PostgreSQL.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startGate, TOKEN } from "./given/gate.mjs";
import { machine, median, scratchFolder } from "./given/measure.mjs";
import { startPostgres } from "./given/postgres.mjs";
import { markingAgent, quantile, startDelays } from "./given/start-delays.mjs";
import { load, requireWrk, startListener } from "./given/wrk.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const STARTS = Number(process.env.BENCH_STARTS ?? 40);
const CAPPED = Number(process.env.BENCH_QUEUED ?? 100_000);
const CONNECTIONS = 64;
const ROUND_TRIP_MS = 3;
const MAX_START_MS = 40;

requireWrk();
// Each of the servers and programs is ended with this process.
process.setMaxListeners(50);
const postgres = await startPostgres(scratchFolder("postgres"));
console.log(`\nServers on PostgreSQL\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
const missed = [...(await measureRates()), ...(await measureStarts())];
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}
process.exit();

async function measureRates() {
  const baseline = await startListener(process.execPath, [given("express-baseline.mjs")]);
  const link = await startListener(
    process.execPath,
    [given("slow-link.mjs"), String(postgres.port), String(ROUND_TRIP_MS)],
    { announces: /listening (\d+)/ },
  );
  const one = [await startOn(await postgres.database("one"))];
  const far = [await startOn(await postgres.database("far", { at: link.url }))];
  const three = await startThree();
  const yardstick = await startYardstick();
  const cases = [
    { name: "baseline: Express answers 202", urls: [`${baseline.url}/webhooks/w/x`] },
    ...["plain", "runs"].flatMap((kind) => [
      { name: `one server, ${kind}`, urls: one.map((server) => server[kind]), servers: one },
      { name: `one server far away, ${kind}`, urls: far.map((server) => server[kind]), servers: far },
      { name: `three servers, ${kind}`, urls: three.map((server) => server[kind]), servers: three },
    ]),
    ...(yardstick ? [{ name: "yardstick: Express adds a job of graphile-worker", urls: [yardstick] }] : []),
  ];
  const samples = new Map(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, urls, servers = [] } of cases) {
      const result = await loadEach(name, urls, round === 0 ? 2 : SECONDS);
      if (round > 0) samples.get(name).push(result);
      // PostgreSQL does so by itself, within a minute.
      if (round === 0) await postgres.analyze();
      // What the list of runs has to catch up with is no part of the next case.
      for (const server of servers) await server.listed();
    }
  }
  await Promise.all([...one, ...far, ...three].map((server) => server.stop()));
  for (const [name, results] of samples) reportRate(name, results);
  const ratio = (name, to) =>
    median(samples.get(name).map((sample, round) => sample.perSecond / samples.get(to)[round].perSecond));
  const [express] = samples.keys();
  return [
    conclude("one server, plain", express, 0.6),
    conclude("one server, runs", express, 0.25),
    conclude("one server far away, plain", "one server, plain", 0.5),
    conclude("one server far away, runs", "one server, runs", 0.5),
    conclude("three servers, plain", "one server, plain", 1),
    conclude("three servers, runs", "one server, runs", 0.7),
    ...(yardstick
      ? [conclude("one server, runs", "yardstick: Express adds a job of graphile-worker", 0)]
      : []),
  ].flat();

  function conclude(name, to, goal) {
    const figure = ratio(name, to);
    const verdict = goal === 0 ? "" : ` (goal ${goal}) ${figure >= goal ? "met" : "MISSED"}`;
    console.log(`${name}: ${figure.toFixed(2)} x ${to}${verdict}`);
    return figure >= goal ? [] : [`${name}: ${figure.toFixed(2)} x`];
  }
}

/** All at once, with the same number of connections in all. */
async function loadEach(name, urls, seconds) {
  const connections = Math.round(CONNECTIONS / urls.length);
  const results = await Promise.all(urls.map((url) => load(url, { token: TOKEN, seconds, connections })));
  const wrong = results.reduce((sum, { failed, refused }) => sum + failed + refused, 0);
  if (wrong > 0) throw new Error(`${name}: ${wrong} failed or were refused`);
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}

function reportRate(name, results) {
  const rate = `${Math.round(median(results.map(({ perSecond }) => perSecond)))}/s`.padStart(9);
  const slowest = `p99 ${median(results.map(({ p99 }) => p99)).toFixed(1)} ms`;
  const all = results.map(({ perSecond }) => Math.round(perSecond)).join(", ");
  console.log(`${name.padEnd(50)} ${rate}  ${slowest.padStart(13)}  samples: ${all}`);
}

/** From the answer to a delivery until the first instruction of its agent, with nothing else to do, and behind runs that wait for a cap. */
async function measureStarts() {
  const agent = markingAgent();
  const folder = scratchFolder("starts");
  const env = {
    ...(await postgres.database("starts")),
    MILLRACE_AGENT_COMMAND: agent.command,
    MILLRACE_RUN_CONCURRENCY: "4",
    MILLRACE_DRAIN_TIMEOUT: "1s",
    MILLRACE_SANDBOX: "none",
    MILLRACE_SANDBOX_PATHS: agent.folder,
  };
  const files = {
    "webhooks/capped.yaml": "secretName: BENCH_SECRET\n",
    // The first one stays; the rest waits for its end.
    "automations/capped.md":
      "---\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [capped] }\nmillrace: { concurrency: 1 }\n---\nWait.\n",
  };
  const server = await startGate(folder, env, { files, committed: true });
  const measured = async (name) => {
    const delays = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const some = await startDelays(server, {
        url: server.runs,
        workspaces: join(folder, "data", "workspaces"),
        count: round === 0 ? 2 : STARTS,
      });
      if (round > 0) delays.push(...some);
    }
    delays.sort((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((part) => quantile(delays, part));
    const verdict = p50 <= MAX_START_MS ? "met" : "MISSED";
    console.log(
      `accept to agent started${name}: p50 ${p50.toFixed(1)} ms (goal ${MAX_START_MS}) ${verdict}, p95 ${p95.toFixed(1)} ms`,
    );
    return p50 <= MAX_START_MS ? [] : [`start${name}`];
  };
  const alone = await measured("");
  for (let waiting = 0; waiting < CAPPED; ) {
    const { requests, failed, refused } = await load(server.urlOf("capped"), {
      token: TOKEN,
      seconds: SECONDS,
    });
    if (failed + refused > 0) throw new Error(`${failed + refused} deliveries failed or were refused`);
    waiting += requests;
  }
  await server.listed();
  const behind = await measured(` behind ${CAPPED} runs that wait for a cap`);
  await server.stop();
  return [...alone, ...behind];
}

function startOn(env, folder = scratchFolder("server"), data = "data") {
  return startGate(folder, env, { committed: true, data });
}

async function startThree() {
  const env = await postgres.database("three");
  const folder = scratchFolder("three");
  return [await startOn(env, folder, "a"), await startOn(env, folder, "b"), await startOn(env, folder, "c")];
}

async function startYardstick() {
  const folder = process.env.BENCH_GRAPHILE_WORKER;
  if (!folder) return undefined;
  const { MILLRACE_DATABASE_URL } = await postgres.database("graphile");
  const { url } = await startListener(process.execPath, [given("graphile-worker.mjs")], {
    env: { BENCH_GRAPHILE_WORKER: folder, BENCH_DATABASE: MILLRACE_DATABASE_URL },
  });
  return `${url}/webhooks/w/x`;
}

function given(name) {
  return fileURLToPath(new URL(`./given/${name}`, import.meta.url));
}

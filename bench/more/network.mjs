// `npm run bench:more -- network`: what a limited network costs a run: how much later its agent starts, how fast it downloads through the
// proxy, and how much memory 100 runs at once take. Needs bubblewrap, socat, curl and openssl.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { markingAgent, quantile, startDelays } from "../given/start-delays.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const STARTS = Number(process.env.BENCH_STARTS ?? 20);
const RUNS = Number(process.env.BENCH_QUEUED ?? 100);
const BYTES = 256 * 1024 * 1024;
const [MAX_LATER_MS, MIN_CONNECT, MIN_ENDED, MAX_MIB] = [15, 200, 50, 5];

console.log(`\nLimited networks\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
const missed = [...(await measureStarts()), ...(await measureThroughput()), ...(await measureMemory())];
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}
process.exit();

/** A server with one more webhook, whose runs have a limited network. */
function startHeld(folder, env, millrace, secrets) {
  const files = {
    "webhooks/held.yaml": "secretName: BENCH_SECRET\n",
    "automations/held.md": `---\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [held] }\nmillrace: ${JSON.stringify(millrace)}\n---\nDo something about it.\n`,
  };
  return startGate(folder, { MILLRACE_SANDBOX: "bwrap", ...env }, { files, secrets });
}

/** From the answer to a delivery until the first instruction of its agent, with the whole network and with none, interleaved. */
async function measureStarts() {
  const folder = scratchFolder("starts");
  const agent = markingAgent();
  const env = { MILLRACE_AGENT_COMMAND: agent.command, MILLRACE_SANDBOX_PATHS: agent.folder };
  const server = await startHeld(folder, env, { network: "none" });
  const workspaces = join(folder, "data", "workspaces");
  const later = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const count = round === 0 ? 2 : STARTS;
    const whole = await startDelays(server, { url: server.runs, workspaces, count });
    const held = await startDelays(server, { url: server.urlOf("held"), workspaces, count });
    if (round > 0) later.push(quantile(held, 0.5) - quantile(whole, 0.5));
  }
  await server.stop();
  return judged("agent starts later, p50", median(later), "ms", MAX_LATER_MS, later);
}

/** What an agent downloads through the proxy in a second: where its connection stays encrypted or plain, and where TLS ends there. */
async function measureThroughput() {
  const folder = scratchFolder("throughput");
  const { key, cert, file } = ownCertificate(folder);
  const send = (_, response) => {
    const piece = Buffer.alloc(1024 * 1024);
    let left = BYTES / piece.length;
    const more = () => {
      while (left > 0) {
        left -= 1;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  };
  const plain = await listening(createHttpServer(send));
  const secure = await listening(createHttpsServer({ key, cert }, send));
  const script = join(folder, "agent.sh");
  const download = (url, more) =>
    `curl -sS -o /dev/null -w '%{speed_download}\n' --noproxy '' ${more} ${url} >> speeds\n`;
  writeFileSync(
    script,
    `for round in $(seq ${ROUNDS}); do\n${download(`http://127.0.0.1:${plain}/`, "--proxytunnel")}${download(`https://localhost:${secure}/`, "")}done\n`,
  );
  chmodSync(folder, 0o755);
  const env = {
    MILLRACE_AGENT_COMMAND: `bash ${script}`,
    MILLRACE_SANDBOX_PATHS: script,
    NODE_EXTRA_CA_CERTS: file,
  };
  const allow = [`127.0.0.1:${plain}`, `localhost:${secure}`, `127.0.0.1:${secure}`, `[::1]:${secure}`];
  const inject = { AGENT_SECRET: { hosts: [`localhost:${secure}`] } };
  const server = await startHeld(folder, env, { network: { allow }, inject }, { AGENT_SECRET: "secret" });
  const run = await deliver(server);
  const { state } = await server.api("GET", `/agent/runs/${run}?wait=60s`);
  if (state !== "SUCCEEDED") throw new Error(`the run that downloads is ${state}`);
  const speeds = readFileSync(join(folder, "data", "workspaces", run, "speeds"), "utf8")
    .trim()
    .split("\n")
    .map((speed) => Number(speed) / 1_000_000);
  await server.stop();
  const [connect, ended] = [0, 1].map((kind) => speeds.filter((_, index) => index % 2 === kind));
  return [
    ...judged("CONNECT", median(connect), "MB/s", MIN_CONNECT, connect, true),
    ...judged("TLS that ends in the proxy", median(ended), "MB/s", MIN_ENDED, ended, true),
  ];
}

/** What the proxies and the forwarders of runs at once take, each. */
async function measureMemory() {
  const folder = scratchFolder("memory");
  const env = { MILLRACE_AGENT_COMMAND: "sleep 86400", MILLRACE_RUN_CONCURRENCY: String(RUNS) };
  const server = await startHeld(folder, env, { network: "none" });
  const first = await deliver(server);
  await working(server, 1);
  const before = supervisorMib(folder);
  for (let n = 1; n < RUNS; n += 1) await deliver(server);
  await working(server, RUNS);
  await sleep(2_000);
  const forwarders = processes().filter(({ name }) => name === "socat");
  const ofForwarders = forwarders.reduce((sum, { pid }) => sum + pssMib(pid), 0) / RUNS;
  const ofProxies = Math.max(0, supervisorMib(folder) - before) / (RUNS - 1);
  await server.api("POST", `/agent/runs/${first}/cancel`);
  await server.stop();
  return judged(`memory of each of ${RUNS} runs`, ofForwarders + ofProxies, "MiB", MAX_MIB, [
    ofForwarders,
    ofProxies,
  ]);
}

async function working(server, count) {
  for (;;) {
    const { runs } = await server.api("GET", `/agent/runs?state=INPROGRESS&limit=${count}`);
    if (runs.length >= count) return;
    await sleep(200);
  }
}

async function deliver(server) {
  const answer = await fetch(server.urlOf("held"), {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ n: Math.random() }),
  });
  const { delivery_id } = await answer.json();
  const { run_ids } = await server.api("GET", `/factories/bench/deliveries/${delivery_id}`);
  return run_ids[0];
}

function judged(what, value, unit, goal, samples, isLeast = false) {
  const isMet = isLeast ? value >= goal : value <= goal;
  const shown = samples.map((sample) => sample.toFixed(1)).join(", ");
  const figure = `${what.padEnd(38)} ${value.toFixed(1).padStart(8)} ${unit}`;
  console.log(
    `${figure} (goal ${isLeast ? ">=" : "<="} ${goal}) ${isMet ? "met" : "MISSED"}  samples: ${shown}`,
  );
  return isMet ? [] : [`${what}: ${value.toFixed(1)} ${unit}`];
}

function ownCertificate(folder) {
  const [key, file] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
      ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", file],
    ],
    { stdio: "ignore" },
  );
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [
          {
            pid,
            name: readFileSync(`/proc/${pid}/comm`, "utf8").trim(),
            environ: readFileSync(`/proc/${pid}/environ`, "latin1"),
          },
        ];
      } catch {
        return [];
      }
    });
}

function supervisorMib(folder) {
  const found = processes().find(({ environ }) =>
    environ.includes(`MILLRACE_SUPERVISOR_FOLDER=${join(folder, "data")}`),
  );
  return found && existsSync(`/proc/${found.pid}`) ? pssMib(found.pid) : 0;
}

function pssMib(pid) {
  const [, kib = 0] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

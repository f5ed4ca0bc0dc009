import { execFile, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CONNECTIONS = 64;
let runs = 0;

export function requireWrk() {
  if (spawnSync("wrk", ["--version"]).error) {
    console.error("This benchmark needs wrk. Install it, for example: sudo apt-get install wrk");
    process.exit(2);
  }
}

/** Posts what a script of this folder makes, unique bodies, from many connections for some seconds. */
export async function load(
  url,
  { token = "", seconds, script = "deliveries.lua", connections = CONNECTIONS },
) {
  runs += 1;
  const args = [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--timeout",
    "10s",
    "--latency",
    "-s",
    fileURLToPath(new URL(script, import.meta.url)),
    url,
  ];
  const env = {
    ...process.env,
    BENCH_GIVEN: fileURLToPath(new URL(".", import.meta.url)),
    BENCH_TOKEN: token,
    BENCH_RUN: `${process.pid}-${runs}`,
  };
  const { stdout } = await promisify(execFile)("wrk", args, { env });
  const { requests, us, failed, status, p50, p99 } = JSON.parse(/^RESULT (.*)$/m.exec(stdout)[1]);
  return {
    perSecond: requests / (us / 1e6),
    requests,
    failed,
    refused: status,
    p50: p50 / 1e3,
    p99: p99 / 1e3,
  };
}

/** Starts a program that prints an address; ended with this process. */
export async function startListener(command, args, { env = {}, announces = /listening (\S+)/, cwd } = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
  });
  process.on("exit", () => child.kill("SIGKILL"));
  let output = "";
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        const match = announces.exec(output);
        if (match) resolve(match[1]);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}: ${output}`)));
  });
  return { url, pid: child.pid, stop: () => child.kill("SIGKILL") };
}

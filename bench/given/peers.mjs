// Other programs that take webhooks, when they are installed here: Debian's `webhook`, which runs a command for every
// delivery, and Node-RED 4 with a flow of two nodes that answers 202. Neither stores anything.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startListener } from "./wrk.mjs";

/** Each with how far ahead of it accepted deliveries are to be; `start` resolves with nothing where it is not installed. */
export const PEERS = [
  { name: "peer: webhook (Debian), runs /bin/true", ahead: 4, start: startWebhook },
  { name: "peer: Node-RED 4, answers 202", ahead: 1.5, start: startNodeRed },
];

async function startWebhook(folder, token) {
  if (!isInstalled("webhook")) return undefined;
  const hooks = [
    {
      id: "bench",
      "execute-command": "/bin/true",
      "success-http-response-code": 202,
      "trigger-rule": {
        match: {
          type: "value",
          value: `Bearer ${token}`,
          parameter: { source: "header", name: "Authorization" },
        },
      },
    },
  ];
  const file = join(folder, "hooks.json");
  writeFileSync(file, JSON.stringify(hooks));
  const port = await freePort();
  const args = ["-hooks", file, "-ip", "127.0.0.1", "-port", String(port), "-verbose"];
  const { pid, stop } = await startListener("webhook", args, { announces: /(serving hooks)/ });
  const url = `http://127.0.0.1:${port}/hooks/bench`;
  return { url, token, answers: 202, stop, settle: () => untilIdle(pid) };
}

async function startNodeRed(folder, token) {
  const program = process.env.BENCH_NODE_RED ?? "node-red";
  if (!isInstalled(program)) return undefined;
  const userDir = join(folder, "node-red");
  mkdirSync(userDir);
  const flow = [
    { id: "tab", type: "tab", label: "bench" },
    { id: "in", type: "http in", z: "tab", url: "/bench", method: "post", wires: [["out"]], x: 1, y: 1 },
    { id: "out", type: "http response", z: "tab", statusCode: "202", wires: [], x: 2, y: 1 },
  ];
  writeFileSync(join(userDir, "flows.json"), JSON.stringify(flow));
  writeFileSync(
    join(userDir, "settings.js"),
    'module.exports = { flowFile: "flows.json", httpAdminRoot: false, telemetry: { enabled: false }, logging: { console: { level: "info" } } };',
  );
  const port = await freePort();
  const args = ["--userDir", userDir, "--port", String(port)];
  const { pid, stop } = await startListener(program, args, { announces: /(Started flows)/ });
  const url = `http://127.0.0.1:${port}/bench`;
  return { url, token, answers: 202, stop, settle: () => untilIdle(pid) };
}

/** A peer that answers before it has acted is busy after the load, and would slow down whatever is measured next. */
async function untilIdle(pid) {
  for (let quiet = 0, last = processorTicks(pid); quiet < 3; ) {
    await sleep(500);
    const ticks = processorTicks(pid);
    quiet = ticks - last <= 2 ? quiet + 1 : 0;
    last = ticks;
  }
}

/** Hundredths of a second that a process and its ended children have taken. */
function processorTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function isInstalled(program) {
  return spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" }).status === 0;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Other programs that take webhooks, when they are installed here: Debian's `webhook`, which runs a command for every
// delivery, and Node-RED 4 with a flow of two nodes that answers 202. Neither stores anything.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { startListener } from "./wrk.mjs";

export async function startPeers(folder, token) {
  const peers = [];
  for (const start of [startWebhook, startNodeRed]) {
    const peer = await start(folder, token);
    if (peer) peers.push({ ...peer, peer: true });
  }
  return peers;
}

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
  await startListener("webhook", args, { announces: /(serving hooks)/ });
  return {
    name: "peer: webhook (Debian), runs /bin/true",
    url: `http://127.0.0.1:${port}/hooks/bench`,
    token,
    ahead: 4,
  };
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
  await startListener(program, args, { announces: /(Started flows)/ });
  return { name: "peer: Node-RED 4, answers 202", url: `http://127.0.0.1:${port}/bench`, token, ahead: 1.5 };
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

// `npm run bench:start`: how long the binary, and `node dist/main.js` beside it, take from their start until they are ready, on a
// store that is there. Other work on the machine shows in the time that passes, and not in the processor time.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report, scratchFolder } from "./given/measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const TICK_MS = 10;
const PROGRAMS = {
  "dist/millrace": { command: [built("millrace")], goal: 400 },
  "node dist/main.js": { command: [process.execPath, built("main.js")] },
};

const folder = scratchFolder("start");
const source = factory(join(folder, "source"));
console.log(`load ${loadavg()[0].toFixed(1)}`);
const rows = [];
for (const [name, { command, goal }] of Object.entries(PROGRAMS)) {
  await start(command);
  const starts = [];
  for (let n = 0; n < ROUNDS; n += 1) starts.push(await start(command));
  rows.push({ name: `${name}, ready`, samples: starts.map(({ passed }) => passed), unit: "ms", goal });
  rows.push({ name: `${name}, processor time`, samples: starts.map(({ used }) => used), unit: "ms" });
}
report("Ready on an existing store", rows);

/** Starts a server, waits until it says that it is ready, and ends it. */
async function start([command, ...args]) {
  const begun = performance.now();
  const child = spawn(command, [...args, "serve", source], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MILLRACE_LISTEN: "127.0.0.1:0",
      MILLRACE_DATA_DIR: join(folder, "data"),
      MILLRACE_AGENT_COMMAND: "true",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const [, announced] = /^millrace serves (\S+)$/m.exec(String(text)) ?? [];
      if (announced) resolve(announced);
    });
    child.once("exit", () => reject(new Error("the server could not start")));
  });
  while ((await fetch(`${url}/readyz`)).status !== 200);
  const passed = performance.now() - begun;
  // proc(5): utime and stime are the 14th and 15th field.
  const [user, system] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(" ").slice(13, 15);
  child.kill("SIGTERM");
  await ended;
  return { passed, used: (Number(user) + Number(system)) * TICK_MS };
}

function factory(path) {
  mkdirSync(join(path, "agents", "boss"), { recursive: true });
  writeFileSync(
    join(path, "factory.yaml"),
    "schemaVersion: v1alpha1\nname: bench\nrepositories: [{ owner: acme, name: shop }]\nagentDefaults: { harness: { type: command, model: none } }\n",
  );
  writeFileSync(join(path, "agents", "boss", "agent.md"), "---\nagentType: FOREMAN\n---\nGo.\n");
  return path;
}

function built(name) {
  return fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
}

// `npm run bench:more -- setup`: how long a run waits for `npm ci` in a project of medium size: the first time, when npm installs
// the packages, and later, when they are restored from the snapshot of an environment. The packages are in the repository, so
// that no registry is measured.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { median, report, scratchFolder } from "../given/measure.mjs";
import { ADMIN_KEY, startServer } from "../given/server.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const PACKAGES = Number(process.env.BENCH_PACKAGES ?? 250);
const FILES = 40;
const FILE_BYTES = 6_000;

const folder = scratchFolder("setup");
const headers = { authorization: `Bearer ${ADMIN_KEY}` };
const git = (at, ...args) =>
  execFileSync("git", ["-C", at, "-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args]);

const forge = join(folder, "forge");
const project = projectIn(join(forge, "acme", "shop.git"));
const source = join(folder, "source");
mkdirSync(join(source, "agents", "worker"), { recursive: true });
writeFileSync(
  join(source, "factory.yaml"),
  "schemaVersion: v1alpha1\nname: bench\nagentDefaults: { harness: { type: command, model: none } }\n",
);
writeFileSync(join(source, "agents", "worker", "agent.md"), "---\nagentType: FOREMAN\n---\nWork.\n");
const settings = join(folder, "millrace.yaml");
writeFileSync(settings, `forges: { home: { baseUrl: "file://${forge}" } }\n`);

const server = await startServer([source], {
  dataDir: join(folder, "data"),
  args: ["--config", settings],
  env: { MILLRACE_SANDBOX: process.env.BENCH_SANDBOX ?? "auto", HOME: folder },
});
await waitFor(async () => (await server.api("GET", "/factories")).factories[0]?.phase !== "Pending");
const rows = { installed: [], restored: [] };
// Each round has an environment of its own: a comment makes its commands other ones.
for (let round = 0; round < ROUNDS; round += 1) {
  const { uid } = await server.api("POST", "/agent/environments", {
    name: `round-${round}`,
    github_repos: [{ owner: "acme", repo: "shop" }],
    setup_commands: [`cd shop && npm ci --no-audit --no-fund # ${round}`],
  });
  const first = await run(uid);
  const second = await run(uid);
  if (first.setup?.restored !== false || second.setup?.restored !== true)
    throw new Error(`it was not restored: ${first.transcript}\n${second.transcript}`);
  rows.installed.push(first.waited);
  rows.restored.push(second.waited);
  console.log(
    `round ${round}: ${first.waited.toFixed(1)} s, ${second.waited.toFixed(1)} s (restoring ${second.setup.seconds} s); load ${loadavg()[0].toFixed(1)}`,
  );
}
await server.stop();
report(
  `npm ci of ${PACKAGES} packages with ${project.files} files, from the claim until an agent that does nothing has ended`,
  [
    { name: "first start: npm installs, and a snapshot is made", samples: rows.installed, unit: "s" },
    { name: "second start: restored", samples: rows.restored, unit: "s", goal: 2 },
  ],
);
console.log(`second start: ${(median(rows.installed) / median(rows.restored)).toFixed(1)} times as fast`);

/** Starts a run, and waits for its end. @returns how long it took from the claim, in seconds */
async function run(environment) {
  const { run_id } = await server.api("POST", "/agent/runs", {
    prompt: "Work.",
    config: { environment_id: environment },
  });
  const ended = await waitFor(async () => {
    const { state, status_message } = await server.api("GET", `/agent/runs/${run_id}`);
    if (/FAILED|ERROR/.test(state)) throw new Error(`${state}: ${status_message?.message}`);
    return state === "SUCCEEDED";
  });
  if (!ended) throw new Error(`${run_id} has not ended`);
  const { events } = await server.api("GET", `/agent/runs/${run_id}/timeline`);
  const at = (type) => Date.parse(events.find(({ event_type }) => event_type === type).occurred_at);
  const { payload } = events.find(({ event_type }) => event_type === "worker_container_ready");
  const transcript = await (
    await fetch(`${server.url}/api/v1/agent/runs/${run_id}/transcript`, { headers })
  ).text();
  return { transcript, waited: (at("oz_run_done") - at("oz_run_claimed")) / 1_000, setup: payload.setup };
}

async function waitFor(check) {
  for (let n = 0; n < 6_000; n += 1) {
    if (await check()) return true;
    await new Promise((again) => setTimeout(again, 50));
  }
  return false;
}

/** A bare repository whose lock file names packages that are in it. */
function projectIn(bare) {
  const work = join(folder, "work");
  mkdirSync(join(work, "packages"), { recursive: true });
  const dependencies = {};
  for (let n = 0; n < PACKAGES; n += 1) {
    const name = `part-${n}`;
    const at = join(folder, "package");
    mkdirSync(join(at, "lib"), { recursive: true });
    writeFileSync(join(at, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(join(at, "lib", `${file}.js`), randomBytes(FILE_BYTES / 2).toString("hex"));
    execFileSync("tar", ["-czf", join(work, "packages", `${name}.tgz`), "-C", folder, "package"]);
    rmSync(at, { recursive: true });
    dependencies[name] = `file:packages/${name}.tgz`;
  }
  writeFileSync(join(work, "package.json"), JSON.stringify({ name: "shop", version: "1.0.0", dependencies }));
  execFileSync(
    "npm",
    ["install", "--package-lock-only", "--no-audit", "--no-fund", "--cache", join(folder, "npm")],
    {
      cwd: work,
      stdio: "ignore",
    },
  );
  git(work, "init", "--quiet", "--initial-branch=main");
  git(work, "add", "--all");
  git(work, "commit", "--quiet", "--message=Begin");
  mkdirSync(bare, { recursive: true });
  execFileSync("git", ["clone", "--quiet", "--bare", work, bare]);
  return { files: PACKAGES * (FILES + 1) };
}

// `npm run bench:more -- definitions`: a repository of 2,000 automations, from a cold start and with one changed file. What git
// itself needs, to clone or to fetch, is measured in the same round and taken off.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { report, scratchFolder, timed } from "../given/measure.mjs";
import { startServer } from "../given/server.mjs";

const AUTOMATIONS = Number(process.env.BENCH_AUTOMATIONS ?? 2_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const folder = scratchFolder("definitions");
const bare = join(folder, "origin.git");
const clone = join(folder, "clone");
const git = (cwd, ...args) =>
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args], {
    cwd,
    stdio: "pipe",
  });

const automation = (index, round = 0) => `---
triggers:
  - provider: webhook
    event: received
    millrace: { webhooks: [w${index % 20}] }
    filter:
      payload:
        kind: [k${index}]
        pull_request: { state: [open], labels: { not_in: [wip] } }
---
Handle the event of kind ${index} (${round}).
`;

function makeRepository() {
  mkdirSync(bare);
  git(bare, "init", "--quiet", "--bare", "--initial-branch=main");
  git(folder, "clone", "--quiet", bare, clone);
  mkdirSync(join(clone, "agents/boss"), { recursive: true });
  mkdirSync(join(clone, "webhooks"));
  writeFileSync(
    join(clone, "factory.yaml"),
    "schemaVersion: v1alpha1\nname: bench\nrepositories: [{ owner: a, name: b }]\nagentDefaults: { harness: { type: command, model: none } }\n",
  );
  writeFileSync(join(clone, "agents/boss/agent.md"), "---\nagentType: FOREMAN\n---\nYou do the work.\n");
  for (let index = 0; index < 20; index += 1)
    writeFileSync(join(clone, `webhooks/w${index}.yaml`), "secretName: S\n");
  for (let index = 0; index < AUTOMATIONS; index += 1) {
    mkdirSync(join(clone, `automations/a${index}`), { recursive: true });
    writeFileSync(join(clone, `automations/a${index}/automation.md`), automation(index));
  }
  push("Begin");
}

function push(message) {
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--allow-empty", `--message=${message}`);
  git(clone, "push", "--quiet", "origin", "HEAD:main");
}

/** Asks until the factory has applied a revision. */
async function applied(server, isDone) {
  for (;;) {
    const { factories } = await server.api("GET", "/factories");
    if (isDone(factories[0]?.sync ?? {})) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

makeRepository();
const env = { MILLRACE_POLL_INTERVAL: "1h" };
const settings = join(folder, "millrace.yaml");
writeFileSync(settings, `secrets: { S: { env: S } }\n`);
const options = (dataDir) => ({ dataDir, env: { ...env, S: "value" }, args: ["--config", settings] });

const clones = [];
const cold = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const dataDir = join(folder, "data");
  const mirror = join(folder, "mirror.git");
  const cloning = await timed(async () =>
    git(folder, "clone", "--quiet", "--bare", "--no-local", bare, mirror),
  );
  rmSync(mirror, { recursive: true });
  let server;
  const starting = await timed(async () => {
    server = await startServer([bare], options(dataDir));
    await applied(server, ({ status }) => status === "synced");
  });
  await server.stop();
  rmSync(dataDir, { recursive: true });
  clones.push(cloning);
  cold.push(starting - cloning);
}

const server = await startServer([bare], options(join(folder, "data")));
await applied(server, ({ status }) => status === "synced");
const mirror = join(folder, "fetching.git");
git(folder, "clone", "--quiet", "--bare", "--no-local", bare, mirror);
const fetches = [];
const changes = [];
const unchanged = [];
for (let round = 0; round < ROUNDS; round += 1) {
  writeFileSync(join(clone, "automations/a7/automation.md"), automation(7, round + 1));
  push(`Round ${round}`);
  const fetching = await timed(async () => {
    git(mirror, "ls-remote", bare, "refs/heads/main");
    git(mirror, "fetch", "--quiet", bare, "+refs/heads/main:refs/heads/main");
  });
  const changing = await timed(() => server.api("POST", "/factories/bench/sync?wait=true"));
  fetches.push(fetching);
  changes.push(changing - fetching);
  unchanged.push(await timed(() => server.api("POST", "/factories/bench/sync?wait=true")));
}
await server.stop();

report(`Definitions: ${AUTOMATIONS} automations in one repository`, [
  { name: "git clone (taken off below)", samples: clones, unit: "ms" },
  { name: "cold start to served, beyond the clone", samples: cold, unit: "ms", goal: 2_000 },
  { name: "git ls-remote and fetch (taken off below)", samples: fetches, unit: "ms" },
  { name: "one changed file applied, beyond the fetch", samples: changes, unit: "ms", goal: 200 },
  { name: "unchanged poll, git's question included", samples: unchanged, unit: "ms" },
]);

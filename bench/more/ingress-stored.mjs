// `npm run bench:more -- ingress-stored`: what two million stored deliveries cost a new one. Two servers under the same load,
// interleaved, one with an empty database and one with a full one.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { BetterSqlite } from "../../dist/store/sqlite/better-sqlite.js";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { load, requireWrk } from "../given/wrk.mjs";

const STORED = Number(process.env.BENCH_STORED ?? 2_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const PAYLOAD = Buffer.alloc(800, "x");

requireWrk();
const fullFolder = scratchFolder("stored");
const first = await startGate(fullFolder);
const [, uid] = /\/w\/(\w+)$/.exec(first.plain);
await first.stop();
fill(join(fullFolder, "data", "millrace.db"), uid);
const full = await startGate(fullFolder);
const empty = await startGate(scratchFolder("empty"));

const samples = { empty: [], full: [] };
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, gate] of Object.entries({ empty, full })) {
    const result = await load(gate.plain, { token: TOKEN, seconds: SECONDS });
    if (result.failed + result.refused > 0) throw new Error(`${name}: ${result.refused} were refused`);
    if (round > 0) samples[name].push(result.perSecond);
  }
}
const ratio = median(samples.full.map((rate, index) => rate / samples.empty[index]));
console.log(
  `\nIngress with ${STORED} stored deliveries\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`,
);
for (const [name, rates] of Object.entries(samples)) {
  console.log(
    `${name.padEnd(6)} ${Math.round(median(rates))}/s  samples: ${rates.map(Math.round).join(", ")}`,
  );
}
console.log(`full to empty: ${ratio.toFixed(2)}x (goal >= 0.75) ${ratio >= 0.75 ? "met" : "MISSED"}`);
process.exit(ratio >= 0.75 ? 0 : 1);

/** Deliveries of the last hours and their identities, whose keys are as random as real ones. */
function fill(path, webhook) {
  const db = new BetterSqlite(path);
  db.pragma("synchronous = OFF");
  const delivery = db.prepare(
    `INSERT INTO deliveries (delivery_id, factory_uid, webhook_uid, outcome, size, time, identity_source, identity_value, payload)
     VALUES (?, 'bench', ?, 'Accepted', 800, ?, 'body_hash', ?, ?)`,
  );
  const identity = db.prepare(
    "INSERT INTO delivery_identities (identity, delivery_id, body_hash, accepted_at) VALUES (?, ?, ?, ?)",
  );
  const start = Date.now() - 6 * 3_600_000;
  const insert = db.transaction((from, to) => {
    for (let n = from; n < to; n += 1) {
      const time = start + Math.floor((n / STORED) * 3_600_000);
      const hex = time.toString(16).padStart(12, "0");
      const tail = n.toString(16).padStart(12, "0");
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${tail.slice(0, 3)}-8000-${tail}`;
      const hash = randomBytes(32);
      const at = new Date(time).toISOString();
      delivery.run(id, webhook, at, hash.toString("hex"), PAYLOAD);
      identity.run(hash.subarray(0, 16), id, hash, at);
    }
  });
  for (let from = 0; from < STORED; from += 20_000) insert(from, Math.min(STORED, from + 20_000));
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

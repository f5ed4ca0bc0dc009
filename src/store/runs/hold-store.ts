import { newUuid } from "../../id.ts";
import {
  type HoldStore,
  holdEnd,
  isSharedCredential,
  MAX_HOLD_MS,
  modelFor,
  PROBE_MS,
  type ProviderHold,
  type ProviderLimit,
  providerOf,
} from "../../runs/rules/provider-limit.ts";
import type { RunExecution } from "../../runs/run-config.ts";
import { recordChange } from "../changes/change-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { MARK_FOR_PROVIDER, UNMARK_FOR_PROVIDER } from "./lanes.ts";

interface HoldRow {
  hold_id: string;
  factory_uid: string | null;
  is_shared: number;
  credential: string;
  model: string;
  kind: ProviderHold["kind"];
  reason: string;
  since: string;
  hit_at: string;
  hits: number;
  until: string;
  probe_run: string | null;
}

const COLUMNS =
  "hold_id, factory_uid, is_shared, credential, model, kind, reason, since, hit_at, hits, until, probe_run";
const ACTIVE = `SELECT ${COLUMNS} FROM provider_holds WHERE ended_at IS NULL ORDER BY since, hold_id`;
const ENDED = "SELECT hold_id FROM provider_holds WHERE ended_at IS NOT NULL ORDER BY hold_id";
const NEXT_END = `
  SELECT MIN(COALESCE(ended_at, until)) AS ends_at FROM provider_holds`;
/** The run that has asked in vain least often asks first. */
const FIRST = `
  SELECT run_id FROM runs WHERE provider_hold = $1 AND provider_hold IS NOT NULL ORDER BY provider_retries + provider_limited, run_id LIMIT 1`;
const RELEASE = `
  UPDATE runs SET provider_hold = NULL, ${UNMARK_FOR_PROVIDER}
  WHERE provider_hold IS NOT NULL AND run_id IN
    (SELECT run_id FROM runs WHERE provider_hold = $1 AND provider_hold IS NOT NULL ORDER BY provider_retries + provider_limited, run_id LIMIT $2)`;

/** What is asked of the database when a provider has refused more, and each time that a hold is over. */
export const HOLD_QUERIES: Readonly<Record<string, string>> = { ACTIVE, ENDED, NEXT_END, FIRST, RELEASE };

/** So many runs are let go with the end of a hold; the others a moment later. */
const RELEASED_AT_ONCE = 500;

export function holdStore(db: Database): HoldStore {
  return {
    list: () => listHolds(db),
    async end(id, at) {
      const hold = (await listHolds(db)).find((each) => each.id === id);
      if (!hold) return false;
      await endHold(db, hold, at);
      return true;
    },
    async release(at, limit) {
      let released = 0;
      // An end that is further away was written before the clock was set back.
      const latest = new Date(Date.parse(at) + MAX_HOLD_MS).toISOString();
      for (const hold of await listHolds(db)) {
        if (hold.until > at && hold.until <= latest) continue;
        released += await openHold(db, hold, at);
      }
      for (const { hold_id } of await db.all<{ hold_id: string }>(ENDED))
        released += await releaseRuns(db, hold_id, limit);
      return released;
    },
    async findNextEnd() {
      return (await db.first<{ ends_at: string | null }>(NEXT_END))?.ends_at ?? undefined;
    },
  };
}

/** All holds that have not ended, the oldest first: a handful. */
export async function listHolds(db: Database): Promise<ProviderHold[]> {
  return (await db.all<HoldRow>(ACTIVE)).map(toHold);
}

/** The time of a hold is over: one run asks first, and when nothing has come of that in a while, or no run waits, all others. */
async function openHold(db: Database, hold: ProviderHold, at: string): Promise<number> {
  const first = hold.probeRun === null ? await db.first<{ run_id: string }>(FIRST, [hold.id]) : undefined;
  if (!first) return endHold(db, hold, at);
  const until = new Date(Date.parse(at) + PROBE_MS).toISOString();
  await db.run("UPDATE provider_holds SET probe_run = $1, until = $2 WHERE hold_id = $3", [
    first.run_id,
    until,
    hold.id,
  ]);
  await db.run(
    `UPDATE runs SET provider_hold = NULL, ${UNMARK_FOR_PROVIDER} WHERE run_id = $1 AND provider_hold IS NOT NULL`,
    [first.run_id],
  );
  return 1;
}

async function endHold(db: Database, hold: ProviderHold, at: string): Promise<number> {
  await db.run("UPDATE provider_holds SET ended_at = $1 WHERE hold_id = $2", [at, hold.id]);
  await recordHold(db, hold, "ended", at);
  return releaseRuns(db, hold.id, RELEASED_AT_ONCE);
}

/** @returns how many; a hold that no run waits for any more is gone */
async function releaseRuns(db: Database, holdId: string, limit: number): Promise<number> {
  const released = await db.run(RELEASE, [holdId, limit]);
  if (released < limit) await db.run("DELETE FROM provider_holds WHERE hold_id = $1", [holdId]);
  return released;
}

function recordHold(db: Database, { id, factoryUid }: ProviderHold, status: string, at: string) {
  return recordChange(db, { kind: "hold", subject: id, factoryUid, webhookUid: null, status, at });
}

/** A run as the end of its turn has it. */
interface LimitedRun {
  run_id: string;
  factory_uid: string | null;
  turn_started_at: string | null;
  execution: string;
  provider_model: string | null;
}

/** Has runs wait because the provider has refused one of them. */
export async function noteLimit(
  db: Database,
  run: LimitedRun,
  limit: ProviderLimit,
  at: string,
): Promise<void> {
  const { credential, models } = providerOf(JSON.parse(run.execution));
  const model = run.provider_model ?? models[0] ?? "";
  // What an agent has printed says nothing to the runs of other factories.
  const isShared = limit.seenBy === "proxy" && isSharedCredential(credential);
  const factoryUid = isShared ? null : run.factory_uid;
  const hold: ProviderHold = {
    ...{ id: newUuid(), factoryUid, isShared, credential, model, kind: limit.kind, reason: limit.reason },
    ...{ since: at, hitAt: at, hits: 1, until: holdEnd(limit, 1, at), probeRun: null },
  };
  const isNew = await db.run(
    `INSERT INTO provider_holds (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT DO NOTHING`,
    [
      ...[hold.id, factoryUid, isShared ? 1 : 0, credential, model, hold.kind, hold.reason],
      ...[hold.since, hold.hitAt, hold.hits, hold.until, null],
    ],
  );
  if (isNew > 0) return recordHold(db, hold, "created", at);
  const known = (await listHolds(db)).find(
    (each) =>
      each.credential === credential &&
      each.model === model &&
      each.isShared === isShared &&
      each.factoryUid === factoryUid,
  );
  if (known) await extendHold(db, known, { run, limit }, at);
}

/** Turns that were at work when the provider has refused another one do not make the hold longer than the provider says. */
async function extendHold(
  db: Database,
  known: ProviderHold,
  { run, limit }: { run: LimitedRun; limit: ProviderLimit },
  at: string,
): Promise<void> {
  const isNextHit = run.turn_started_at === null || run.turn_started_at > known.hitAt;
  const hits = isNextHit ? known.hits + 1 : known.hits;
  const end = isNextHit || limit.until !== undefined ? holdEnd(limit, isNextHit ? hits : 1, at) : known.until;
  const until = isNextHit || end > known.until ? end : known.until;
  await db.run(
    `UPDATE provider_holds SET until = $1, hits = $2, hit_at = $3, kind = $4, reason = $5, probe_run = $6 WHERE hold_id = $7`,
    [
      ...[until, hits, isNextHit ? at : known.hitAt, limit.kind, limit.reason],
      ...[isNextHit ? null : known.probeRun, known.id],
    ],
  );
  if (until !== known.until) await recordHold(db, known, "extended", at);
}

/** The provider has answered a run, or its turn has ended otherwise: where all others wait for that, they can start. */
export async function noteAnswer(db: Database, runId: string, at: string): Promise<void> {
  for (const hold of await listHolds(db)) if (hold.probeRun === runId) await endHold(db, hold, at);
}

/** What holds mean for runs that could be claimed otherwise. */
interface FoundHeld {
  /** The runs that are kept from every model they may use, each by its hold. */
  held: Map<string, string>;
  /** The models of those that use another than their own. */
  models: Map<string, string>;
}

export async function findHeld(db: Database, runs: readonly { run_id: string }[]): Promise<FoundHeld> {
  const found: FoundHeld = { held: new Map(), models: new Map() };
  const holds = runs.length === 0 ? [] : await listHolds(db);
  if (holds.length === 0) return found;
  const rows = await db.all<{ run_id: string; factory_uid: string | null; execution: string }>(
    `SELECT run_id, factory_uid, execution FROM runs WHERE run_id IN (${placeholders(runs.length)})`,
    runs.map(({ run_id }) => run_id),
  );
  for (const { run_id: id, factory_uid: factoryUid, execution } of rows) {
    const provider = providerOf(JSON.parse(execution) as RunExecution);
    const way = modelFor({ id, factoryUid, provider }, holds);
    if ("hold" in way) found.held.set(id, way.hold.id);
    else if (way.model !== provider.models[0]) found.models.set(id, way.model);
  }
  return found;
}

/** Has those runs that are held wait for their hold, apart from those that can be claimed. */
export async function holdRuns(db: Database, runs: readonly { run_id: string }[]): Promise<FoundHeld> {
  const found = await findHeld(db, runs);
  for (const holdId of new Set(found.held.values())) {
    const ids = [...found.held].flatMap(([id, hold]) => (hold === holdId ? [id] : []));
    await db.run(
      `UPDATE runs SET provider_hold = $1, ${MARK_FOR_PROVIDER}
       WHERE run_id IN (${placeholders(ids.length, 1)}) AND state = 'QUEUED' AND provider_hold IS NULL`,
      [holdId, ...ids],
    );
  }
  return found;
}

/** The hold that a waiting run waits for, or would wait for when it is its turn. */
export async function findHoldOf(db: Database, runId: string): Promise<ProviderHold | undefined> {
  const holds = await listHolds(db);
  if (holds.length === 0) return undefined;
  const run = await db.first<{ factory_uid: string | null; execution: string; provider_hold: string | null }>(
    "SELECT factory_uid, execution, provider_hold FROM runs WHERE run_id = $1",
    [runId],
  );
  if (!run) return undefined;
  const found = modelFor(
    { id: runId, factoryUid: run.factory_uid, provider: providerOf(JSON.parse(run.execution)) },
    holds,
  );
  return "hold" in found ? found.hold : holds.find(({ id }) => id === run.provider_hold);
}

function toHold(row: HoldRow): ProviderHold {
  return {
    id: row.hold_id,
    factoryUid: row.factory_uid,
    isShared: row.is_shared === 1,
    credential: row.credential,
    model: row.model,
    kind: row.kind,
    reason: row.reason,
    since: row.since,
    hitAt: row.hit_at,
    hits: row.hits,
    until: row.until,
    probeRun: row.probe_run,
  };
}

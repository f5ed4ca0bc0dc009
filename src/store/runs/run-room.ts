import type { RunCaps } from "../../runs/caps.ts";
import { isHeldBy } from "../../runs/rules/pause.ts";
import type { Hold } from "../../runs/rules/waiting.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import { listPauses } from "../tables/pause-store.ts";

/** A waiting run as far as caps and pauses look at it. */
export interface WaitingRun {
  run_id: string;
  factory_uid: string | null;
  automation_uid: string | null;
  webhook_uid: string | null;
  /** Of one that a worker has had before: it is counted in that hour, and not again. */
  first_claimed_at: string | null;
}

/** What there is room for under the caps and the pauses: counted in the store, and less with each run that is taken. */
export interface Room {
  /** Whether the whole server is paused, so that no run has to be looked at. */
  isClosed: boolean;
  /** Takes the room for a run. @returns what holds the run back; nothing when there was room */
  take(run: WaitingRun): Promise<Hold | undefined>;
}

const NOWHERE = { factoryUid: null, webhookUid: null, automationUid: null };

export async function roomUnder(db: Database, caps: RunCaps, at: string): Promise<Room> {
  const pauses = await listPauses(db);
  const leftAtOnce = new Map<string, number>();
  const leftInHour = new Map<string, number>();
  let working: Promise<Map<string, number>> | undefined;

  async function atOnce(uid: string | null): Promise<number> {
    const cap = uid === null ? undefined : caps.automations[uid];
    if (uid === null || cap === undefined) return Number.POSITIVE_INFINITY;
    working ??= countWorking(db);
    return leftAtOnce.get(uid) ?? cap - ((await working).get(uid) ?? 0);
  }

  async function inHour(uid: string | null): Promise<number> {
    const cap = uid === null ? undefined : caps.factories[uid];
    if (uid === null || cap === undefined) return Number.POSITIVE_INFINITY;
    return leftInHour.get(uid) ?? cap - (await countStarted(db, uid, at));
  }

  async function automationHold(uid: string | null): Promise<Hold> {
    const [cap, count] = uid === null ? [0, 0] : [caps.automations[uid], (await working)?.get(uid)];
    return { kind: "automation_limit", cap: cap ?? 0, working: count ?? 0 };
  }

  async function hourHold(uid: string | null): Promise<Hold> {
    const cap = (uid === null ? undefined : caps.factories[uid]) ?? 0;
    return { kind: "hourly_limit", cap, started: uid === null ? 0 : await countStarted(db, uid, at) };
  }

  return {
    isClosed: pauses.some((pause) => isHeldBy(pause, NOWHERE)),
    async take({ automation_uid, factory_uid, webhook_uid, first_claimed_at }) {
      const place = { factoryUid: factory_uid, webhookUid: webhook_uid, automationUid: automation_uid };
      const pause = pauses.find((each) => isHeldBy(each, place));
      if (pause) return { kind: "paused", pause };
      const automation = await atOnce(automation_uid);
      const factory = first_claimed_at === null ? await inHour(factory_uid) : Number.POSITIVE_INFINITY;
      if (automation <= 0) return automationHold(automation_uid);
      if (factory <= 0) return hourHold(factory_uid);
      if (automation_uid !== null) leftAtOnce.set(automation_uid, automation - 1);
      if (factory_uid !== null && first_claimed_at === null) leftInHour.set(factory_uid, factory - 1);
      return undefined;
    },
  };
}

/** Runs that a worker has, also those whose agent waits for a person: at most as many rows as runs execute at once. */
async function countWorking(db: Database): Promise<Map<string, number>> {
  const rows = await db.all<{ automation_uid: string; runs: number }>(
    `SELECT automation_uid, COUNT(*) AS runs FROM runs
     WHERE lease_expires_at IS NOT NULL AND automation_uid IS NOT NULL GROUP BY automation_uid`,
  );
  return new Map(rows.map(({ automation_uid, runs }) => [automation_uid, runs]));
}

/** The runs of a factory that were started within the hour before an instant. */
export async function countStarted(db: Database, factoryUid: string, at: string): Promise<number> {
  const [since, until] = hourAround(at);
  const row = await db.first<{ runs: number }>(
    "SELECT COUNT(*) AS runs FROM runs WHERE factory_uid = $1 AND first_claimed_at > $2 AND first_claimed_at <= $3",
    [factoryUid, since, until],
  );
  return row?.runs ?? 0;
}

/**
 * The instants between which a start counts. A clock that was set back leaves starts in its future: those of an hour count,
 * so that no one starts twice as many by setting it, and later ones do not, so that nothing stands still for days.
 */
export function hourAround(at: string): [since: string, until: string] {
  const now = Date.parse(at);
  return [new Date(now - HOUR_MS).toISOString(), new Date(now + HOUR_MS).toISOString()];
}

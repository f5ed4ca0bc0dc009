import type { KeyHold } from "../../runs/rules/run-key.ts";
import { MAX_AHEAD } from "../../runs/rules/waiting.ts";
import type { Database } from "../sqlite/database.ts";
import { GOES_ON, HELD_FOR_KEY, hasKey } from "./key-holds.ts";

const HOLDER = `SELECT run_id FROM runs WHERE ${hasKey("$1", "$2")} ORDER BY run_id LIMIT 1`;
/** Where no run has the key, it is about to go to the oldest one that waits, for it or in a window. */
const OLDEST_HELD = `
  SELECT run_id FROM runs WHERE ${GOES_ON} AND held_until IS NOT NULL AND run_id < $2 ORDER BY run_id LIMIT 1`;

/** What tells whether a run waits for its key or in a window. */
export interface HeldByKey {
  run_id: string;
  concurrency_key: string | null;
  held_until: string | null;
}

/** Why a run of a key may not be claimed, and how many of its key start before it; nothing for one that may. */
export async function keyHoldOf(
  db: Database,
  { run_id, concurrency_key: fullKey, held_until: until }: HeldByKey,
  at: string,
): Promise<{ hold: KeyHold; ahead: number; opensAt?: string } | undefined> {
  if (until === null || fullKey === null) return undefined;
  if (until < HELD_FOR_KEY) {
    const endsAt = until > at ? until : at;
    return { hold: { kind: "window", endsAt }, ahead: 0, opensAt: endsAt };
  }
  const holder =
    (await db.first<{ run_id: string }>(HOLDER, [fullKey, at])) ??
    (await db.first<{ run_id: string }>(OLDEST_HELD, [fullKey, run_id]));
  const ahead = await db.first<{ runs: number }>(
    `SELECT COUNT(*) AS runs FROM
       (SELECT 1 FROM runs WHERE concurrency_key = $1 AND held_until = '${HELD_FOR_KEY}' AND run_id < $2 LIMIT $3) AS older`,
    [fullKey, run_id, MAX_AHEAD],
  );
  const key = fullKey.slice(fullKey.indexOf(" ") + 1);
  return { hold: { kind: "key", key, holder: holder?.run_id ?? null }, ahead: ahead?.runs ?? 0 };
}

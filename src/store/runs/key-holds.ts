import type { Database } from "../sqlite/database.ts";
import { MARK_PLACEMENT, UNMARK_PLACEMENT } from "./lanes.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "./run-events.ts";
import { ENDED } from "./state-lists.ts";

/** The column `held_until` of a run that waits for its key. It is after every instant. */
export const HELD_FOR_KEY = "~";

/** Runs of the key `$1` that have not ended. */
export const GOES_ON = `concurrency_key = $1 AND concurrency_key IS NOT NULL AND state NOT IN (${ENDED})`;
/**
 * That a run has a key. A blocked one has it for a while only, unless its end was asked for: its agent may be alive.
 * @param key an expression, as `at` is
 */
export const hasKey = (key: string, at: string) =>
  `concurrency_key = ${key} AND concurrency_key IS NOT NULL AND state NOT IN (${ENDED}) AND held_until IS NULL
   AND NOT (state = 'BLOCKED' AND key_until <= ${at} AND cancel_requested_at IS NULL)`;
/** That a run waits for a key. A server of an earlier version ends runs without a look at what holds them. */
export const waitsForKey = (key: string) =>
  `concurrency_key = ${key} AND held_until = '${HELD_FOR_KEY}' AND state = 'QUEUED'`;

const HAS = `SELECT 1 FROM runs WHERE ${hasKey("$1", "$2")} AND run_id <> $3 LIMIT 1`;
const WAITS = `SELECT 1 FROM runs WHERE ${waitsForKey("$1")} AND run_id <> $2 LIMIT 1`;
const IN_WINDOW = `
  SELECT 1 FROM runs WHERE concurrency_key = $1 AND held_until < '${HELD_FOR_KEY}' AND state = 'QUEUED' LIMIT 1`;
const RELEASE = `
  UPDATE runs SET held_until = NULL, ${UNMARK_PLACEMENT}, updated_at = $2
  WHERE run_id = (SELECT MIN(run_id) FROM runs WHERE ${waitsForKey("$1")})
    AND NOT EXISTS (SELECT 1 FROM runs WHERE ${hasKey("$1", "$2")})
  RETURNING ${CHANGED_COLUMNS}`;

/** What is asked of the database with every run of a key. */
export const KEY_QUERIES: Readonly<Record<string, string>> = { HAS, WAITS, IN_WINDOW, RELEASE };

/** Whether a run of a key is at work, or others wait for it already. */
export async function isKeyTaken(db: Database, key: string, at: string, except = ""): Promise<boolean> {
  return (
    (await db.first(HAS, [key, at, except])) !== undefined ||
    (await db.first(WAITS, [key, except])) !== undefined
  );
}

/**
 * Whether a run of a key is in a window, which may be over. Where the automation has no window any more, the run goes before newer
 * ones as soon as the window is closed.
 */
export async function isInAnyWindow(db: Database, key: string): Promise<boolean> {
  return (await db.first(IN_WINDOW, [key])) !== undefined;
}

/**
 * Lets the oldest run that waits for a key go, unless another one has it. Call it when a run of the key has ended.
 * @returns whether one was let go
 */
export async function releaseNext(db: Database, key: string, at: string): Promise<boolean> {
  const [released] = await db.all<ChangedRun>(RELEASE, [key, at]);
  if (released) await announce(db, released, at);
  return released !== undefined;
}

/**
 * Has a run that waits for its next turn wait for its key too, where another run has got that. One that had its key until now goes
 * before those that only wait for it.
 */
export async function holdForKey(db: Database, runId: string, at: string): Promise<void> {
  const run = await db.first<{ concurrency_key: string | null }>(
    `SELECT concurrency_key FROM runs
     WHERE run_id = $1 AND state = 'QUEUED' AND held_until IS NULL AND key_until IS NOT NULL`,
    [runId],
  );
  if (!run || run.concurrency_key === null) return;
  if ((await db.first(HAS, [run.concurrency_key, at, runId])) === undefined) return;
  await db.run(`UPDATE runs SET held_until = $1, ${MARK_PLACEMENT} WHERE run_id = $2`, [HELD_FOR_KEY, runId]);
}

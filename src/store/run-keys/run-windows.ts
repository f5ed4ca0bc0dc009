import type { OpenWindows, RunKeyStore } from "../../runs/rules/run-key.ts";
import { HELD_FOR_KEY, hasKey, isKeyTaken, releaseNext, waitsForKey } from "../runs/key-holds.ts";
import { UNMARK_PLACEMENT } from "../runs/lanes.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "../runs/run-events.ts";
import type { Database } from "../sqlite/database.ts";

type Window = { run_id: string; concurrency_key: string | null; is_parallel: number };

const WINDOW_COLUMNS = "run_id, concurrency_key, key_until IS NULL AS is_parallel";
const DUE = `
  SELECT ${WINDOW_COLUMNS} FROM runs WHERE held_until <= $1 AND held_until < '${HELD_FOR_KEY}' ORDER BY held_until, run_id LIMIT $2`;
/** How far the clocks of servers on one database may be apart: a window that another one has opened is not over because of that. */
const CLOCKS_APART_MS = 2_000;
/** The clock was set back: nobody waits a day for that to be made up for. */
const OPENED_LATER = `
  SELECT ${WINDOW_COLUMNS} FROM runs
  WHERE held_until IS NOT NULL AND window_opened_at > $1 AND held_until < '${HELD_FOR_KEY}' ORDER BY window_opened_at LIMIT $2`;
/** That a run is at work that has the key of a row: then nothing can be let go. */
const isHeld = (row: string) => `EXISTS (SELECT 1 FROM runs WHERE ${hasKey(`${row}.concurrency_key`, "$1")})`;
const isWaitedFor = (row: string) =>
  `EXISTS (SELECT 1 FROM runs WHERE ${waitsForKey(`${row}.concurrency_key`)})`;
const BLOCKED_TOO_LONG = `
  SELECT DISTINCT concurrency_key, key_until FROM runs AS blocked
  WHERE concurrency_key IS NOT NULL AND state = 'BLOCKED' AND key_until <= $1 AND ${isWaitedFor("blocked")} AND NOT ${isHeld("blocked")}
  ORDER BY key_until LIMIT $2`;

const NEXT_ENDS = `
  SELECT MIN(held_until) AS ends_at FROM runs WHERE held_until < '${HELD_FOR_KEY}'
  UNION ALL
  SELECT MIN(key_until) FROM runs AS blocked WHERE concurrency_key IS NOT NULL AND state = 'BLOCKED' AND ${isWaitedFor("blocked")}
    AND (key_until > $1 OR NOT ${isHeld("blocked")})`;

/** From key to key that runs wait for: as many steps as there are keys. */
const STRANDED = `
  WITH RECURSIVE waited (concurrency_key) AS (
    SELECT (SELECT MIN(concurrency_key) FROM runs WHERE held_until = '${HELD_FOR_KEY}')
    UNION ALL
    SELECT (SELECT MIN(concurrency_key) FROM runs WHERE held_until = '${HELD_FOR_KEY}' AND concurrency_key > waited.concurrency_key)
    FROM waited WHERE waited.concurrency_key IS NOT NULL
  )
  SELECT concurrency_key FROM waited
  WHERE concurrency_key IS NOT NULL AND ${isWaitedFor("waited")} AND NOT ${isHeld("waited")} LIMIT $2`;

const END_WINDOWS = `
  UPDATE runs SET held_until = $1, window_setting = NULL
  WHERE run_id IN (SELECT run_id FROM runs
                   WHERE factory_uid = $2 AND automation_uid = $3 AND window_setting = $4
                     AND held_until IS NOT NULL AND held_until < '${HELD_FOR_KEY}' LIMIT $5)`;

/** What is asked of the database each time that windows are looked at. */
export const WINDOW_QUERIES: Readonly<Record<string, string>> = {
  DUE,
  OPENED_LATER,
  BLOCKED_TOO_LONG,
  NEXT_ENDS,
  STRANDED,
  END_WINDOWS,
};

const withTolerance = (at: string) => new Date(Date.parse(at) + CLOCKS_APART_MS).toISOString();

/** How the windows of runs end, and how long a blocked run has its key. */
export function runWindows(
  db: Database,
): Pick<
  RunKeyStore,
  | "closeDueWindows"
  | "findNextWindowEnd"
  | "listStrandedKeys"
  | "releaseKeys"
  | "listOpenWindows"
  | "endWindows"
> {
  return {
    async closeDueWindows(at, limit) {
      const due = [
        ...(await db.all<Window>(DUE, [at, limit])),
        ...(await db.all<Window>(OPENED_LATER, [withTolerance(at), limit])),
      ];
      for (const window of due) await closeWindow(db, window, at);
      const blocked = await db.all<{ concurrency_key: string }>(BLOCKED_TOO_LONG, [at, limit]);
      let released = 0;
      for (const { concurrency_key } of blocked)
        if (await releaseNext(db, concurrency_key, at)) released += 1;
      return due.length + released;
    },
    async findNextWindowEnd(at) {
      if (await db.first(OPENED_LATER, [withTolerance(at), 1])) return at;
      const ends = await db.all<{ ends_at: string | null }>(NEXT_ENDS, [at]);
      return ends.flatMap(({ ends_at }) => ends_at ?? []).sort()[0];
    },
    async listStrandedKeys(at, limit) {
      const rows = await db.all<{ concurrency_key: string }>(STRANDED, [at, limit]);
      return rows.map(({ concurrency_key }) => concurrency_key);
    },
    async releaseKeys(keys, at) {
      for (const key of keys) await releaseNext(db, key, at);
    },
    listOpenWindows: () =>
      db.all<OpenWindows>(
        `SELECT DISTINCT factory_uid AS "factoryUid", automation_uid AS "automationUid", window_setting AS setting FROM runs
         WHERE held_until IS NOT NULL AND window_setting IS NOT NULL AND factory_uid IS NOT NULL AND automation_uid IS NOT NULL`,
      ),
    endWindows: ({ factoryUid, automationUid, setting }, at, limit) =>
      db.run(END_WINDOWS, [at, factoryUid, automationUid, setting, limit]),
  };
}

/** The run waits for its key from now on, or can be claimed. */
async function closeWindow(
  db: Database,
  { run_id, concurrency_key: key, is_parallel }: Window,
  at: string,
): Promise<void> {
  const waits = key !== null && is_parallel === 0 && (await isKeyTaken(db, key, at, run_id));
  const [closed] = await db.all<ChangedRun>(
    `UPDATE runs SET held_until = $1, ${waits ? "" : `${UNMARK_PLACEMENT},`} window_opened_at = NULL, window_setting = NULL, updated_at = $2
     WHERE run_id = $3 AND held_until IS NOT NULL AND held_until < '${HELD_FOR_KEY}' RETURNING ${CHANGED_COLUMNS}`,
    [waits ? HELD_FOR_KEY : null, at, run_id],
  );
  if (closed) await announce(db, closed, at);
  // Those that wait for the key may all be newer, and wait for this one only.
  if (waits) await releaseNext(db, key, at);
}

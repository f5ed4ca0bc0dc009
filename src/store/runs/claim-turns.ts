import type { Turn } from "../../runs/rules/share.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";

/** The parent of the factories; that of automations is their factory. */
export const ALL_FACTORIES = "/";

/** Turns that siblings have had with an executor. */
export interface TakenTurns {
  executor: string;
  parent: string;
  turns: readonly Turn[];
  /** Those of them that had none before. */
  isNew: boolean;
}

export async function listTurns(db: Database, executor: string, parent: string): Promise<Turn[]> {
  const rows = await db.all<{ owner: string; start_tag: number; finish_tag: number }>(
    "SELECT owner, start_tag, finish_tag FROM claim_turns WHERE executor = $1 AND parent = $2",
    [executor, parent],
  );
  return rows.map(({ owner, start_tag: start, finish_tag: finish }) => ({ owner, start, finish }));
}

/** Nothing is known any more of who has had no turn for so long: the next one begins with those who have waited. */
const KEPT_MS = DAY_MS;
const COLUMNS = 6;
/** A statement has a bounded number of values. */
const AT_ONCE = 500;

export async function keepTurns(db: Database, taken: readonly TakenTurns[], at: string): Promise<void> {
  const rows = taken.flatMap(({ executor, parent, turns }) =>
    turns.map(({ owner, start, finish }) => [executor, parent, owner, start, finish, at]),
  );
  for (let first = 0; first < rows.length; first += AT_ONCE)
    await keep(db, rows.slice(first, first + AT_ONCE));
  if (taken.some(({ isNew }) => isNew)) {
    const before = new Date(Date.parse(at) - KEPT_MS).toISOString();
    await db.run("DELETE FROM claim_turns WHERE taken_at < $1", [before]);
  }
}

async function keep(db: Database, rows: readonly SqlValue[][]): Promise<void> {
  const values = rows.map((row, index) => `(${row.map((_, n) => `$${index * COLUMNS + n + 1}`).join(", ")})`);
  await db.run(
    `INSERT INTO claim_turns (executor, parent, owner, start_tag, finish_tag, taken_at) VALUES ${values.join(", ")}
     ON CONFLICT (executor, parent, owner) DO UPDATE SET
       start_tag = excluded.start_tag, finish_tag = excluded.finish_tag, taken_at = excluded.taken_at`,
    rows.flat(),
  );
}

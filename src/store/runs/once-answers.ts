import type { IdempotencyKey, IdempotencyOutcome } from "../../runs/idempotency.ts";
import type { Database } from "../sqlite/database.ts";

/** What was answered under a key; nothing when it is new. Asked in the transaction that acts on it. */
export async function findAnswer(
  db: Database,
  once: IdempotencyKey,
): Promise<IdempotencyOutcome | undefined> {
  const row = await db.first<{ request_hash: string; answer: string }>(
    "SELECT request_hash, answer FROM idempotent_answers WHERE principal_uid = $1 AND key = $2",
    [once.principalUid, once.key],
  );
  if (!row) return undefined;
  return row.request_hash === once.requestHash ? { answer: row.answer, isNew: false } : { differs: true };
}

/** Remembers the answer of a key whose request took effect elsewhere, unless it is known already. */
export async function keepAnswer(
  db: Database,
  once: IdempotencyKey,
  answer: string,
  at: string,
): Promise<void> {
  if (!(await findAnswer(db, once))) await saveAnswer(db, once, answer, at);
}

/** Remembers the answer of a key in the transaction that it tells of. */
export async function saveAnswer(
  db: Database,
  once: IdempotencyKey,
  answer: string,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO idempotent_answers (principal_uid, key, request_hash, answer, created_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [once.principalUid, once.key, once.requestHash, answer, at],
  );
}

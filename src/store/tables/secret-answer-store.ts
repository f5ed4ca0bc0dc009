import type {
  SecretAnswerClaim,
  SecretAnswerRecord,
  SecretAnswerStore,
} from "../../api/http/secret-answers.ts";
import type { Database } from "../sqlite/database.ts";

interface AnswerRow {
  request_code: string;
  holder: string | null;
  sealed: Uint8Array | null;
  changed_at: string;
}

export function secretAnswerStore(db: Database): SecretAnswerStore {
  return {
    claim: (claim) => claimAnswer(db, claim),
    async keep({ id, holder }, sealed, at) {
      await db.run(
        `UPDATE secret_answers SET holder = NULL, sealed = $1, changed_at = $2
         WHERE answer_id = $3 AND holder = $4`,
        [sealed, at, id, holder],
      );
    },
    async release({ id, holder }) {
      await db.run("DELETE FROM secret_answers WHERE answer_id = $1 AND holder = $2", [id, holder]);
    },
    async expire({ shownSince, knownSince }, limit) {
      await db.run("UPDATE secret_answers SET sealed = NULL WHERE sealed IS NOT NULL AND changed_at < $1", [
        shownSince,
      ]);
      return db.run(
        `DELETE FROM secret_answers WHERE answer_id IN
           (SELECT answer_id FROM secret_answers WHERE changed_at < $1 ORDER BY changed_at LIMIT $2)`,
        [knownSince, limit],
      );
    },
  };
}

async function claimAnswer(
  db: Database,
  { id, requestCode, holder, at, abandonedBefore }: SecretAnswerClaim,
): Promise<SecretAnswerRecord | undefined> {
  const row = await db.first<AnswerRow>(
    "SELECT request_code, holder, sealed, changed_at FROM secret_answers WHERE answer_id = $1",
    [id],
  );
  if (row && (row.holder === null || row.changed_at >= abandonedBefore)) return toRecord(row);
  await db.run(
    `INSERT INTO secret_answers (answer_id, request_code, holder, sealed, changed_at)
     VALUES ($1, $2, $3, NULL, $4)
     ON CONFLICT (answer_id) DO UPDATE SET
       request_code = excluded.request_code, holder = excluded.holder, changed_at = excluded.changed_at`,
    [id, requestCode, holder, at],
  );
  return undefined;
}

function toRecord(row: AnswerRow): SecretAnswerRecord {
  return {
    requestCode: row.request_code,
    isHeld: row.holder !== null,
    sealed: row.sealed ?? undefined,
    answeredAt: row.changed_at,
  };
}

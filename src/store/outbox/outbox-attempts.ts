import type { AttemptOutcome, Outbox } from "../../outbox/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

type Attempts = Pick<Outbox<string, unknown>, "saveAttempt" | "sendAgain" | "reopen"> & {
  /** What waits for a target that has just answered has no reason to rest. */
  noteSent(target: string, at: string): Promise<void>;
};

/** Writes down how attempts have ended, and what that means for what else waits for the same target. */
export function outboxAttempts(db: Database, { messages, targets, id: idColumn }: OutboxTables): Attempts {
  return {
    async saveAttempt(id, outcome, at) {
      const row = await db.first<{ target: string }>(
        `SELECT target FROM ${messages} WHERE ${idColumn} = $1`,
        [id],
      );
      // Its run was deleted while it was sent.
      if (!row) return;
      const { target } = row;
      if (outcome.response)
        await db.run(`UPDATE ${messages} SET response = $1 WHERE ${idColumn} = $2`, [
          JSON.stringify(outcome.response),
          id,
        ]);
      if (outcome.state === "sent") {
        await end(id, "sent", outcome.note, at);
        await noteSent(target, at);
      } else if (outcome.state === "failed") {
        await end(id, "failed", outcome.error, at);
        if (outcome.gone !== undefined) await noteGone(target, outcome.gone, at);
      } else await postpone(id, target, outcome, at);
    },
    async sendAgain(id, at) {
      const changed = await db.run(
        `UPDATE ${messages} SET state = 'waiting', attempts = 0, requested_at = $1, next_attempt_at = $1, ended_at = NULL
         WHERE ${idColumn} = $2`,
        [at, id],
      );
      return changed > 0;
    },
    noteSent,
    async reopen(target, at) {
      await db.run(`DELETE FROM ${targets} WHERE target = $1`, [target]);
      await db.run(
        `UPDATE ${messages} SET next_attempt_at = $1
         WHERE target = $2 AND state = 'waiting' AND next_attempt_at > $1`,
        [at, target],
      );
    },
  };

  async function end(id: string, state: "sent" | "failed", error: string | null, at: string): Promise<void> {
    await db.run(
      `UPDATE ${messages} SET state = $1, attempts = attempts + 1, last_error = $2, next_attempt_at = NULL,
         ended_at = $3 WHERE ${idColumn} = $4`,
      [state, error, at, id],
    );
  }

  async function noteSent(target: string, at: string): Promise<void> {
    const standing = await db.first<{ rests_until: string | null }>(
      `SELECT rests_until FROM ${targets} WHERE target = $1`,
      [target],
    );
    if (!standing) return;
    await db.run(`DELETE FROM ${targets} WHERE target = $1`, [target]);
    // Those that failed for a reason of their own wait for their own time.
    await db.run(
      `UPDATE ${messages} SET next_attempt_at = $1
       WHERE target = $2 AND state = 'waiting' AND next_attempt_at > $1 AND (attempts = 0 OR next_attempt_at = $3)`,
      [at, target, standing.rests_until ?? ""],
    );
  }

  async function noteGone(target: string, fingerprint: string, at: string): Promise<void> {
    await db.run(
      `INSERT INTO ${targets} (target, gone) VALUES ($1, $2)
       ON CONFLICT (target) DO UPDATE SET gone = excluded.gone, rests_until = NULL`,
      [target, fingerprint],
    );
    await db.run(
      `UPDATE ${messages} SET state = 'failed', next_attempt_at = NULL, ended_at = $1,
         last_error = 'the receiver answered 410 Gone'
       WHERE target = $2 AND state = 'waiting'`,
      [at, target],
    );
  }

  /** A target that cannot be reached is not tried again for each message that waits for it. */
  async function postpone(
    id: string,
    target: string,
    { error, nextAttemptAt, rests, fingerprint }: Extract<AttemptOutcome, { state: "waiting" }>,
    at: string,
  ): Promise<void> {
    await db.run(
      `UPDATE ${messages} SET attempts = attempts + 1, last_error = $1, next_attempt_at = $2 WHERE ${idColumn} = $3`,
      [error, nextAttemptAt, id],
    );
    await db.run(
      `INSERT INTO ${targets} (target, rests_until, failures, fingerprint, failed_at) VALUES ($1, $2, 1, $3, $4)
       ON CONFLICT (target) DO UPDATE SET rests_until = excluded.rests_until, failures = ${targets}.failures + 1,
         fingerprint = excluded.fingerprint, failed_at = excluded.failed_at`,
      [target, rests ? nextAttemptAt : null, fingerprint, at],
    );
    if (!rests) return;
    await db.run(
      `UPDATE ${messages} SET next_attempt_at = $1
       WHERE target = $2 AND state = 'waiting' AND next_attempt_at < $1`,
      [nextAttemptAt, target],
    );
  }
}

import type { AttemptOutcome, Outbox, TargetFailure } from "../../messages/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

type Attempts = Pick<Outbox<string, unknown>, "saveAttempt" | "sendAgain" | "reopen"> & {
  /** What waits for a target that has just answered has no reason to rest. */
  noteSent(target: string, at: string): Promise<void>;
};

/**
 * Writes down how attempts have ended, and what that means for what else waits for the same target. That all of it rests is
 * said once, with the target: thousands may wait.
 */
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
      if (outcome.state === "waiting") await postpone(id, outcome, at);
      else await end(id, outcome, at);
      if (outcome.state === "sent") await noteSent(target, at);
      else if ("restsUntil" in outcome) await noteFailure(target, outcome, at);
      else if (outcome.gone !== undefined) await noteGone(target, outcome.gone, at);
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
        `UPDATE ${messages} SET next_attempt_at = $1, tried_at = NULL
         WHERE target = $2 AND state = 'waiting' AND (next_attempt_at > $1 OR tried_at > $1)`,
        [at, target],
      );
    },
  };

  async function end(
    id: string,
    outcome: Exclude<AttemptOutcome, { state: "waiting" }>,
    at: string,
  ): Promise<void> {
    await db.run(
      `UPDATE ${messages} SET state = $1, attempts = attempts + 1, last_error = $2, next_attempt_at = NULL,
         ended_at = $3 WHERE ${idColumn} = $4`,
      [outcome.state, outcome.state === "sent" ? outcome.note : outcome.error, at, id],
    );
  }

  /** One that waits because of its target is due as soon as that is, behind those that wait already. */
  async function postpone(
    id: string,
    { error, nextAttemptAt, restsUntil }: Extract<AttemptOutcome, { state: "waiting" }>,
    at: string,
  ): Promise<void> {
    await db.run(
      `UPDATE ${messages} SET attempts = attempts + 1, last_error = $1, next_attempt_at = $2, tried_at = $3
       WHERE ${idColumn} = $4`,
      [error, restsUntil === null ? nextAttemptAt : at, at, id],
    );
  }

  async function noteSent(target: string, at: string): Promise<void> {
    await db.run(`DELETE FROM ${targets} WHERE target = $1`, [target]);
    // Servers of the version before have what rests wait for its own time.
    await db.run(
      `UPDATE ${messages} SET next_attempt_at = $1
       WHERE target = $2 AND state = 'waiting' AND next_attempt_at > $1 AND attempts = 0`,
      [at, target],
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
  async function noteFailure(
    target: string,
    { error, restsUntil, fingerprint }: TargetFailure & { error: string },
    at: string,
  ): Promise<void> {
    await db.run(
      `INSERT INTO ${targets} (target, rests_until, failures, fingerprint, failed_at, failed_by)
       VALUES ($1, $2, 1, $3, $4, $5)
       ON CONFLICT (target) DO UPDATE SET rests_until = excluded.rests_until, failures = ${targets}.failures + 1,
         fingerprint = excluded.fingerprint, failed_at = excluded.failed_at, failed_by = excluded.failed_by`,
      [target, restsUntil, fingerprint, at, error],
    );
  }
}

import type { FeedbackStore } from "../feedback/feedback.ts";
import { type Database, placeholders } from "./database.ts";

/** More pull requests than this wait only when nobody looks at the log. */
const MOST_WAITING = 1_000;

export function feedbackStore(db: Database): FeedbackStore {
  return {
    async listRequests(factoryUid) {
      const rows = await db.all<{ subject: string; ticket: string }>(
        "SELECT subject, ticket FROM check_requests WHERE factory_uid = $1 ORDER BY asked_at, ticket",
        [factoryUid],
      );
      return rows.map(({ subject, ticket }) => ({ subject: JSON.parse(subject), ticket }));
    },
    async ask(factoryUid, { subject, ticket }, at) {
      const key = JSON.stringify(subject);
      const waiting = await db.first<{ count: number }>(
        "SELECT COUNT(*) AS count FROM check_requests WHERE factory_uid = $1 AND subject <> $2",
        [factoryUid, key],
      );
      if ((waiting?.count ?? 0) >= MOST_WAITING) return false;
      await db.run(
        `INSERT INTO check_requests (factory_uid, subject, ticket, asked_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (factory_uid, subject) DO UPDATE SET ticket = excluded.ticket`,
        [factoryUid, key, ticket, at],
      );
      return true;
    },
    async settle(factoryUid, { subject, ticket }) {
      await db.run("DELETE FROM check_requests WHERE factory_uid = $1 AND subject = $2 AND ticket = $3", [
        factoryUid,
        JSON.stringify(subject),
        ticket,
      ]);
    },
    async listChecked(factoryUid) {
      const rows = await db.all<{ number: number; head: string }>(
        "SELECT number, head FROM checked_pull_requests WHERE factory_uid = $1",
        [factoryUid],
      );
      return Object.fromEntries(rows.map(({ number, head }) => [number, head]));
    },
    async recordChecked(factoryUid, pullRequest, head) {
      await db.run(
        `INSERT INTO checked_pull_requests (factory_uid, number, head) VALUES ($1, $2, $3)
         ON CONFLICT (factory_uid, number) DO UPDATE SET head = excluded.head`,
        [factoryUid, pullRequest, head],
      );
    },
    async keepChecked(factoryUid, open) {
      const others = open.length === 0 ? "" : `AND number NOT IN (${placeholders(open.length, 1)})`;
      await db.run(`DELETE FROM checked_pull_requests WHERE factory_uid = $1 ${others}`, [
        factoryUid,
        ...open,
      ]);
    },
    async findTold(factoryUid) {
      const row = await db.first<{ commit_hash: string; outcome: string }>(
        "SELECT commit_hash, outcome FROM told_commits WHERE factory_uid = $1",
        [factoryUid],
      );
      return row && { commit: row.commit_hash, outcome: row.outcome };
    },
    async recordTold(factoryUid, { commit, outcome }, at) {
      await db.run(
        `INSERT INTO told_commits (factory_uid, commit_hash, outcome, told_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (factory_uid) DO UPDATE
         SET commit_hash = excluded.commit_hash, outcome = excluded.outcome, told_at = excluded.told_at`,
        [factoryUid, commit, outcome, at],
      );
    },
  };
}

import type { FeedbackStore } from "../../feedback/feedback.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** More pull requests than this wait only when no one looks at the log. */
const MAX_WAITING = 1_000;

export function feedbackStore(db: Database): FeedbackStore {
  return {
    async listRequests(hostKey) {
      const rows = await db.all<{ subject: string; ticket: string }>(
        "SELECT subject, ticket FROM check_requests WHERE host_key = $1 ORDER BY asked_at, ticket",
        [hostKey],
      );
      return rows.map(({ subject, ticket }) => ({ subject: JSON.parse(subject), ticket }));
    },
    async ask(hostKey, { subject, ticket }, at) {
      const key = JSON.stringify(subject);
      const waiting = await db.first<{ count: number }>(
        "SELECT COUNT(*) AS count FROM check_requests WHERE host_key = $1 AND subject <> $2",
        [hostKey, key],
      );
      if ((waiting?.count ?? 0) >= MAX_WAITING) return false;
      await db.run(
        `INSERT INTO check_requests (host_key, subject, ticket, asked_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (host_key, subject) DO UPDATE SET ticket = excluded.ticket`,
        [hostKey, key, ticket, at],
      );
      return true;
    },
    async settle(hostKey, { subject, ticket }) {
      await db.run("DELETE FROM check_requests WHERE host_key = $1 AND subject = $2 AND ticket = $3", [
        hostKey,
        JSON.stringify(subject),
        ticket,
      ]);
    },
    async listChecked(hostKey) {
      const rows = await db.all<{ number: number; head: string }>(
        "SELECT number, head FROM checked_pull_requests WHERE host_key = $1",
        [hostKey],
      );
      return Object.fromEntries(rows.map(({ number, head }) => [number, head]));
    },
    async recordChecked(hostKey, pullRequest, head) {
      await db.run(
        `INSERT INTO checked_pull_requests (host_key, number, head) VALUES ($1, $2, $3)
         ON CONFLICT (host_key, number) DO UPDATE SET head = excluded.head`,
        [hostKey, pullRequest, head],
      );
    },
    async keepChecked(hostKey, open) {
      const others = open.length === 0 ? "" : `AND number NOT IN (${placeholders(open.length, 1)})`;
      await db.run(`DELETE FROM checked_pull_requests WHERE host_key = $1 ${others}`, [hostKey, ...open]);
    },
    async findReported(hostKey) {
      const row = await db.first<{ commit_hash: string; outcome: string }>(
        "SELECT commit_hash, outcome FROM told_commits WHERE host_key = $1",
        [hostKey],
      );
      return row && { commit: row.commit_hash, outcome: row.outcome };
    },
    async recordReported(hostKey, { commit, outcome }, at) {
      await db.run(
        `INSERT INTO told_commits (host_key, commit_hash, outcome, told_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (host_key) DO UPDATE
         SET commit_hash = excluded.commit_hash, outcome = excluded.outcome, told_at = excluded.told_at`,
        [hostKey, commit, outcome, at],
      );
    },
  };
}

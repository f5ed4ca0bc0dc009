import type { Delivery } from "../../ingress/delivery.ts";
import type {
  PullRequestEvent,
  PullRequestStore,
  ReportedPullRequest,
  ReportingRun,
} from "../../insight/pull-request.ts";
import { type NewRow, tableOf } from "../new-row.ts";
import { tagText } from "../runs/facets.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

const EVENTS = tableOf("pull_request_events", {
  owner: "delivery_id",
  columns: "delivery_id, factory_uid, webhook_uid, accepted_at, event",
});

interface ReportRow {
  data: string;
  reported_at: string;
  run_id: string;
  root_id: string;
  created_at: string;
  source: string;
  creator: string;
  model_id: string | null;
}

/** What a delivery says about a pull request, as it stands beside the delivery. */
export function pullRequestEventRow(
  { id, factoryUid, webhookUid, time }: Pick<Delivery, "id" | "factoryUid" | "webhookUid" | "time">,
  event: PullRequestEvent,
): NewRow {
  return { table: EVENTS, values: [id, factoryUid, webhookUid, time, JSON.stringify(event)] };
}

export function pullRequestStore(db: Database): PullRequestStore {
  return {
    async listEvents(factoryUid, { after, limit }) {
      const rows = await db.all<{ id: string; event: string }>(
        `SELECT delivery_id AS id, event FROM pull_request_events
         WHERE factory_uid = $1 AND delivery_id > $2 ORDER BY delivery_id LIMIT $3`,
        [factoryUid, after ?? "", limit],
      );
      return rows.map(({ id, event }) => ({ id, event: JSON.parse(event) as PullRequestEvent }));
    },
    async listReported(factoryUid, { after, limit }) {
      const tag = "(SELECT id FROM facet_texts WHERE text = $1)";
      const ofPage = `SELECT number FROM run_tags WHERE tag = ${tag} AND number > $2 ORDER BY number LIMIT $3`;
      const last = await db.first<{ number: number | null; runs: number }>(
        `SELECT MAX(number) AS number, COUNT(*) AS runs FROM (${ofPage}) AS page`,
        [tagText.artifact("PULL_REQUEST"), after, limit],
      );
      const rows = await db.all<ReportRow>(
        `SELECT a.data, a.created_at AS reported_at, r.run_id, COALESCE(r.family_id, r.run_id) AS root_id, r.created_at,
           r.source, r.creator, r.model_id
         FROM (${ofPage}) AS page JOIN run_listing l ON l.number = page.number JOIN runs r ON r.run_id = l.run_id
           JOIN run_artifacts a ON a.run_id = r.run_id
         WHERE r.factory_uid = $4 AND a.artifact_type = 'PULL_REQUEST'
         ORDER BY a.artifact_uid`,
        [tagText.artifact("PULL_REQUEST"), after, limit, factoryUid],
      );
      const next = last && last.runs === limit ? last.number : null;
      return { reports: rows.flatMap(toReported), next };
    },
    async listMessageCounts(runIds) {
      if (runIds.length === 0) return {};
      const rows = await db.all<{ run_id: string; messages: number }>(
        // A quotation mark in a name is written with a backslash: this text stands nowhere else.
        `SELECT run_id, COUNT(*) AS messages FROM run_followups
         WHERE run_id IN (${placeholders(runIds.length)}) AND from_run IS NULL AND creator LIKE '%"type":"user"%'
         GROUP BY run_id`,
        [...runIds],
      );
      return Object.fromEntries(rows.map(({ run_id, messages }) => [run_id, messages]));
    },
    forgetEventsOf: ({ factoryUid, uid }, upTo, limit) =>
      db.run(
        `DELETE FROM pull_request_events WHERE delivery_id IN (
           SELECT delivery_id FROM pull_request_events
           WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id <= $3 ORDER BY delivery_id LIMIT $4)`,
        [uid, factoryUid, upTo, limit],
      ),
    forgetEvents: (before, limit) =>
      db.run(
        `DELETE FROM pull_request_events WHERE delivery_id IN (
           SELECT delivery_id FROM pull_request_events WHERE accepted_at < $1 ORDER BY accepted_at LIMIT $2)`,
        [before, limit],
      ),
  };
}

function toReported(row: ReportRow): ReportedPullRequest[] {
  const { url, title } = JSON.parse(row.data) as { url?: string; title?: string };
  if (url === undefined) return [];
  const run: ReportingRun = {
    id: row.run_id,
    rootId: row.root_id,
    createdAt: row.created_at,
    source: row.source,
    creator: JSON.parse(row.creator),
    modelId: row.model_id,
  };
  return [{ url, title: title ?? null, reportedAt: row.reported_at, run }];
}

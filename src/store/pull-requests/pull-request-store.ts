import type {
  PullRequestEvent,
  PullRequestStore,
  ReportedPullRequest,
  ReportingRun,
} from "../../pull-requests/pull-request.ts";
import { type NewRow, tableOf } from "../new-row.ts";
import { tagText } from "../run-list/facets.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

const EVENTS = tableOf("pull_request_events", {
  owner: "delivery_id",
  columns: "delivery_id, factory_uid, told_at, event",
});

/** One statement for every number of runs: what is left over is filled up with an id that nothing has. */
const READ_TOGETHER = 100;
const FILLER = "";

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

/** What a delivery has told of a pull request, as it stands beside the delivery. */
export function pullRequestEventRow(
  { id, factoryUid, time }: { id: string; factoryUid: string; time: string },
  event: PullRequestEvent,
): NewRow {
  return { table: EVENTS, values: [id, factoryUid, time, JSON.stringify(event)] };
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
    async listReported(factoryUid) {
      const rows = await db.all<ReportRow>(
        `SELECT a.data, a.created_at AS reported_at, r.run_id, COALESCE(r.family_id, r.run_id) AS root_id, r.created_at,
           r.source, r.creator, r.model_id
         FROM run_tags t JOIN run_listing l ON l.number = t.number JOIN runs r ON r.run_id = l.run_id
           JOIN run_artifacts a ON a.run_id = r.run_id
         WHERE t.tag = (SELECT id FROM facet_texts WHERE text = $1) AND r.factory_uid = $2
           AND a.artifact_type = 'PULL_REQUEST'
         ORDER BY a.artifact_uid`,
        [tagText.artifact("PULL_REQUEST"), factoryUid],
      );
      return rows.flatMap(toReported);
    },
    async listMessageCounts(runIds) {
      const counts: Record<string, number> = {};
      for (let begin = 0; begin < runIds.length; begin += READ_TOGETHER) {
        const some = runIds.slice(begin, begin + READ_TOGETHER);
        const rows = await db.all<{ run_id: string; messages: number }>(
          // A quotation mark in a name is written with a backslash: this text stands nowhere else.
          `SELECT run_id, COUNT(*) AS messages FROM run_followups
           WHERE run_id IN (${placeholders(READ_TOGETHER)}) AND from_run IS NULL AND creator LIKE '%"type":"user"%'
           GROUP BY run_id`,
          [...some, ...Array(READ_TOGETHER - some.length).fill(FILLER)],
        );
        for (const { run_id, messages } of rows) counts[run_id] = messages;
      }
      return counts;
    },
    forgetEvents: (before, limit) =>
      db.run(
        `DELETE FROM pull_request_events WHERE delivery_id IN (
           SELECT delivery_id FROM pull_request_events WHERE told_at < $1 ORDER BY told_at LIMIT $2)`,
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

import type { Artifact } from "../../runs/rules/artifact.ts";
import { END_STATES, type RunState } from "../../runs/rules/state.ts";
import { RATED_RUNS } from "../../runs/rules/success-rate.ts";
import type { LastRun, RunGroup, RunSummary, RunSummaryStore } from "../../runs/run-query.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { findTexts, webhookFacet } from "../runs/facets.ts";
import { type Database, placeholders, type SqlValue } from "../sqlite/database.ts";

/** One statement for every number of groups: what is left over is filled up with a text that nothing has. */
const READ_TOGETHER = 100;
const FILLER = "\u0001";
/** So many runs are looked at for those that have ended: before them there may be a long queue. */
const MAX_LOOKED_AT = 500;

/** The runs of a group that changed last, as an index has them; those of a webhook by their numbers, which it has alone. */
const WINDOWS = {
  automation: "run_listing l WHERE l.automation = a.id AND l.automation <> 0 ORDER BY l.updated_at DESC",
  agent: "run_listing l WHERE l.executor = a.id ORDER BY l.updated_at DESC",
  webhook: "run_listing l WHERE l.webhook = a.id AND l.webhook <> 0 ORDER BY l.number DESC",
} as const;

interface SummaryRow {
  text: string;
  last: number;
  /** The states of ended runs, by their numbers, with commas between them. */
  ended: string | null;
}

/** How runs went: of each automation, webhook or agent, the last ones are read from an index. */
export function runSummaryStore(db: Database): RunSummaryStore {
  return {
    async listSummaries(group) {
      const uids = uidsOf(group);
      const states = await findTexts(db, END_STATES);
      const rows = await inChunks([...uids.keys()], FILLER, (texts) =>
        db.all<SummaryRow>(summaries(group.by, [...states.values()]), texts),
      );
      const listed = rows.filter(({ last }) => last !== null);
      const runs = await lastRuns(
        db,
        listed.map(({ last }) => last),
      );
      const named = new Map([...states].map(([state, id]) => [String(id), state as RunState]));
      return listed.map(({ text, last, ended }): RunSummary => {
        const of = ended === null ? [] : ended.split(",").map((id) => named.get(id));
        const count = (...wanted: RunState[]) => of.filter((state) => state && wanted.includes(state)).length;
        return {
          uid: uids.get(text) ?? text,
          last: runs.get(last) ?? null,
          succeeded: count("SUCCEEDED"),
          failed: count("FAILED", "ERROR"),
          cancelled: count("CANCELLED"),
        };
      });
    },
    async listHourlyRuns(since) {
      return db.all(
        `SELECT automation.text AS "automationUid", hour * ${HOUR_MS} AS hour, SUM(runs) AS runs,
           SUM(CASE WHEN state.text IN ('FAILED', 'ERROR') THEN runs ELSE 0 END) AS failed
         FROM (SELECT created_at / ${HOUR_MS} AS hour, automation, state, COUNT(*) AS runs FROM run_listing
               WHERE created_at >= $1 AND +automation <> 0 GROUP BY 1, 2, 3) counted
         JOIN facet_texts automation ON automation.id = counted.automation
         JOIN facet_texts state ON state.id = counted.state
         GROUP BY hour, automation.text ORDER BY hour, automation.text`,
        [since],
      );
    },
    async listRunCounts(agentUids, most) {
      const rows = await inChunks(agentUids, FILLER, (texts) =>
        db.all<{ text: string; runs: number }>(
          `SELECT a.text AS text,
             (SELECT COUNT(*) FROM (SELECT 1 FROM run_listing l WHERE l.executor = a.id LIMIT $1) AS counted) AS runs
           FROM facet_texts a WHERE a.text IN (${placeholders(READ_TOGETHER, 1)})`,
          [most, ...texts],
        ),
      );
      return Object.fromEntries(rows.map(({ text, runs }) => [text, runs]));
    },
  };
}

/** The uids of the groups, by the texts that the list has for them. */
function uidsOf(group: RunGroup): Map<string, string> {
  return group.by === "webhook"
    ? new Map(group.webhooks.map(({ factoryUid, uid }) => [webhookFacet(factoryUid, uid), uid]))
    : new Map(group.uids.map((uid) => [uid, uid]));
}

/** @param ended the numbers of the states that end a run, as far as any run has had them: PostgreSQL takes no empty list */
function summaries(by: RunGroup["by"], ended: readonly number[]): string {
  const window = WINDOWS[by];
  return `
    SELECT a.text AS text,
      (SELECT MAX(number) FROM (SELECT l.number FROM ${window} LIMIT ${RATED_RUNS}) AS listed) AS last,
      (SELECT STRING_AGG(CAST(state AS TEXT), ',') FROM (
         SELECT state FROM (SELECT l.state FROM ${window} LIMIT ${MAX_LOOKED_AT}) AS listed
         WHERE state IN (${ended.join(", ") || "NULL"}) LIMIT ${RATED_RUNS}) AS rated) AS ended
    FROM facet_texts a WHERE a.text IN (${placeholders(READ_TOGETHER)})`;
}

/** @returns the runs by their numbers in the list */
async function lastRuns(db: Database, numbers: readonly number[]): Promise<Map<number, LastRun>> {
  const rows = await inChunks(numbers, 0, (chunk) =>
    db.all<Omit<LastRun, "pullRequestUrl"> & { number: number }>(
      `SELECT l.number, r.run_id AS id, r.factory_uid AS "factoryUid", r.title, r.state, r.created_at AS "createdAt",
         r.finished_at AS "finishedAt", r.delivery_id AS "deliveryId",
         r.webhook_uid AS "webhookUid"
       FROM run_listing l JOIN runs r ON r.run_id = l.run_id WHERE l.number IN (${placeholders(READ_TOGETHER)})`,
      chunk,
    ),
  );
  const urls = await pullRequestUrls(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.map(({ number, ...run }) => [number, { ...run, pullRequestUrl: urls.get(run.id) ?? null }]),
  );
}

async function pullRequestUrls(db: Database, runIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await inChunks(runIds, FILLER, (chunk) =>
    db.all<{ run_id: string; data: string }>(
      `SELECT run_id, data FROM run_artifacts
       WHERE run_id IN (${placeholders(READ_TOGETHER)}) AND artifact_type = 'PULL_REQUEST' ORDER BY artifact_uid`,
      chunk,
    ),
  );
  return new Map(
    rows.flatMap(({ run_id, data }) => {
      const { url } = JSON.parse(data) as Artifact["data"];
      return url === undefined ? [] : [[run_id, url]];
    }),
  );
}

async function inChunks<Value extends SqlValue, Row>(
  values: readonly Value[],
  filler: Value,
  read: (chunk: Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < values.length; from += READ_TOGETHER) {
    const chunk = Array.from({ length: READ_TOGETHER }, (_, index) => values[from + index] ?? filler);
    rows.push(...(await read(chunk)));
  }
  return rows;
}

import { firstUuidOf } from "../../id.ts";
import type {
  AuditPage,
  AuditQuery,
  AuditRecord,
  AuditStore,
  StoredAuditRecord,
} from "../../principals/audit.ts";
import type { Database } from "../sqlite/database.ts";

export function auditStore(db: Database): AuditStore {
  return {
    list: (query) => listAudit(db, query),
    async record({ id, at, principal, keyId, runId, factoryUid, action, subject, status, traceId, address }) {
      const { uid, type, displayName } = principal;
      await db.run(
        `INSERT INTO audit_log (${AUDIT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [id, at, uid, type, displayName, keyId, runId, action, subject, status, traceId, address, factoryUid],
      );
    },
    async correct({ id, status, traceId }) {
      await db.run("UPDATE audit_log SET status = $1, trace_id = $2 WHERE id = $3", [status, traceId, id]);
    },
    async repeat({ id, at, dropped }) {
      const counted = await db.run("UPDATE audit_log SET repeats = repeats + 1, last_at = $1 WHERE id = $2", [
        at,
        id,
      ]);
      if (counted === 0) return false;
      if (dropped !== null) await db.run("DELETE FROM audit_log WHERE id = $1", [dropped]);
      return true;
    },
    // Ids tell the time, and the table is sorted by them: what stays is not looked at.
    prune: (before, limit) =>
      db.run(
        "DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2)",
        [firstUuidOf(Date.parse(before)), limit],
      ),
  };
}

interface AuditRow {
  id: string;
  at: string;
  principal_uid: string;
  principal_kind: AuditRecord["principal"]["type"];
  display_name: string;
  key_id: string | null;
  run_id: string | null;
  action: string;
  subject: string;
  status: number;
  trace_id: string | null;
  address: string;
  factory_uid: string | null;
  repeats: number;
  last_at: string | null;
}

const AUDIT_COLUMNS =
  "id, at, principal_uid, principal_kind, display_name, key_id, run_id, action, subject, status, trace_id, address, factory_uid";

/** How many records a page looks at, at most: what is asked for may be rare among millions. */
const EXAMINED = 20_000;

/**
 * A page of the log. Ids tell the time, so both ends of what is examined are found by the index of ids; the filters are
 * held against what lies between.
 */
async function listAudit(db: Database, query: AuditQuery): Promise<AuditPage> {
  const { limit } = query;
  const bounds = boundsOf(query);
  const filters = filtersOf(query);
  const floor = filters.length > 0 ? await farthest(db, bounds) : undefined;
  const { where, values } = whereOf([
    ...bounds,
    ...(floor === undefined ? [] : [atLeast(floor)]),
    ...filters,
  ]);
  const rows = await db.all<AuditRow>(
    `SELECT ${AUDIT_COLUMNS}, repeats, last_at FROM audit_log ${where} ORDER BY id DESC LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  const records = rows.slice(0, limit).map(toRecord);
  const next = rows.length > limit ? records.at(-1)?.id : floor;
  return { records, next: next ?? null };
}

/** One condition on a record; each `?` in it stands for the value. */
interface Condition {
  sql: string;
  value: string;
}

/** The last record that a page examines; nothing where the log ends before. */
async function farthest(db: Database, bounds: readonly Condition[]): Promise<string | undefined> {
  const { where, values } = whereOf(bounds);
  const sql = `SELECT id FROM audit_log ${where} ORDER BY id DESC LIMIT 1 OFFSET ${EXAMINED - 1}`;
  return (await db.first<{ id: string }>(sql, values))?.id;
}

function boundsOf({ before, since, until }: AuditQuery): Condition[] {
  const below = (value: string): Condition => ({ sql: "id < ?", value });
  return [
    ...(before === undefined ? [] : [below(before)]),
    ...(until === undefined ? [] : [below(firstUuidOf(until))]),
    ...(since === undefined ? [] : [atLeast(firstUuidOf(since))]),
  ];
}

function atLeast(value: string): Condition {
  return { sql: "id >= ?", value };
}

function filtersOf({ actor, action, factoryUid }: AuditQuery): Condition[] {
  return [
    ...(actor === undefined ? [] : [{ sql: "(principal_uid = ? OR display_name = ?)", value: actor }]),
    ...(action === undefined ? [] : [{ sql: "action = ?", value: action }]),
    ...(factoryUid === undefined ? [] : [{ sql: "factory_uid = ?", value: factoryUid }]),
  ];
}

function whereOf(conditions: readonly Condition[]): { where: string; values: string[] } {
  const parts = conditions.map(({ sql }, place) => sql.replaceAll("?", `$${place + 1}`));
  return {
    where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "",
    values: conditions.map(({ value }) => value),
  };
}

function toRecord(row: AuditRow): StoredAuditRecord {
  return {
    id: row.id,
    at: row.at,
    principal: { uid: row.principal_uid, type: row.principal_kind, displayName: row.display_name },
    keyId: row.key_id,
    runId: row.run_id,
    factoryUid: row.factory_uid,
    action: row.action,
    subject: row.subject,
    status: row.status,
    traceId: row.trace_id,
    address: row.address,
    repeats: row.repeats,
    lastAt: row.last_at,
  };
}

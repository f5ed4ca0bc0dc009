import { firstUuidOf } from "../../id.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../../principals/audit.ts";
import type { Database } from "../sqlite/database.ts";

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
  repeats: number;
  last_at: string | null;
}

const COLUMNS =
  "id, at, principal_uid, principal_kind, display_name, key_id, run_id, action, subject, status, trace_id, address";

export function auditStore(db: Database): AuditStore {
  return {
    async list({ before, limit }) {
      const rows =
        before === undefined
          ? await db.all<AuditRow>(
              `SELECT ${COLUMNS}, repeats, last_at FROM audit_log ORDER BY id DESC LIMIT $1`,
              [limit],
            )
          : await db.all<AuditRow>(
              `SELECT ${COLUMNS}, repeats, last_at FROM audit_log WHERE id < $1 ORDER BY id DESC LIMIT $2`,
              [before, limit],
            );
      return rows.map(toRecord);
    },
    async record({ id, at, principal, keyId, runId, action, subject, status, traceId, address }) {
      const { uid, type, displayName } = principal;
      await db.run(
        `INSERT INTO audit_log (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [id, at, uid, type, displayName, keyId, runId, action, subject, status, traceId, address],
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

function toRecord(row: AuditRow): StoredAuditRecord {
  return {
    id: row.id,
    at: row.at,
    principal: { uid: row.principal_uid, type: row.principal_kind, displayName: row.display_name },
    keyId: row.key_id,
    runId: row.run_id,
    action: row.action,
    subject: row.subject,
    status: row.status,
    traceId: row.trace_id,
    address: row.address,
    repeats: row.repeats,
    lastAt: row.last_at,
  };
}

import { firstUuidOf } from "../../id.ts";
import type { AuditStore } from "../../principals/audit.ts";
import type { Database } from "../sqlite/database.ts";
import { AUDIT_COLUMNS, listAudit } from "./audit-list.ts";

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

import type { AuditRecord, AuditStore } from "../principals/audit.ts";
import type { Cursors } from "./cursor.ts";
import { type Endpoints, unlimitedKeyOf } from "./endpoint.ts";
import { cutPage } from "./page.ts";
import { creatorInfo } from "./run-item.ts";

export interface AuditLogParts {
  audit: Pick<AuditStore, "list">;
  cursors: Cursors;
}

const SCOPE = { list: "audit_log" };

export function auditLogEndpoints({ audit, cursors }: AuditLogParts): Endpoints {
  return {
    listAuditLog: {
      role: "admin",
      async handle(request) {
        unlimitedKeyOf(request);
        const { limit, cursor } = request.query;
        const [before] = cursor ? cursors.decode(SCOPE, cursor, 1) : [];
        const found = await audit.list({ limit: limit + 1, ...(before ? { before } : {}) });
        const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(SCOPE, [last.id]));
        return { json: { audit_log: items.map(recordView), page_info: pageInfo } };
      },
    },
  };
}

function recordView(record: AuditRecord) {
  return {
    id: record.id,
    at: record.at,
    principal: creatorInfo(record.principal),
    key_id: record.keyId,
    ...(record.runId === null ? {} : { run_id: record.runId }),
    action: record.action,
    subject: record.subject,
    status: record.status,
    ...(record.traceId === null ? {} : { trace_id: record.traceId }),
    address: record.address,
  };
}

import type { Models } from "../../client/typed-paths.ts";
import type { AuditStore, StoredAuditRecord } from "../../principals/audit.ts";
import type { Cursors } from "../http/cursor.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { cutPage } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface AuditLogDeps {
  audit: Pick<AuditStore, "list">;
  cursors: Cursors;
}

const SCOPE = { list: "audit_log" };

export function auditLogEndpoints({ audit, cursors }: AuditLogDeps) {
  return {
    listAuditLog: {
      async handle(request) {
        unlimitedKeyOf(request);
        const { limit, cursor } = request.query;
        const [before] = cursor ? cursors.decode(SCOPE, cursor, 1) : [];
        const found = await audit.list({ limit: limit + 1, ...(before ? { before } : {}) });
        const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(SCOPE, [last.id]));
        return { json: { audit_log: items.map(recordView), page_info: pageInfo } };
      },
    },
  } satisfies Endpoints;
}

function recordView(record: StoredAuditRecord): Models["AuditRecord"] {
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
    ...(record.lastAt === null ? {} : { repeats: record.repeats, last_at: record.lastAt }),
  };
}

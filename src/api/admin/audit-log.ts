import type { Models } from "../../client/typed-paths.ts";
import { isUid } from "../../id.ts";
import type { AuditStore, StoredAuditRecord } from "../../principals/audit.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { instantIn } from "../../time/instant.ts";
import { noSuchFactory } from "../factories/factories.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import type { Cursors } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface AuditLogDeps {
  audit: Pick<AuditStore, "list">;
  factories: Pick<Factories, "find">;
  cursors: Cursors;
}

const SCOPE = { list: "audit_log" };

export function auditLogEndpoints({ audit, factories, cursors }: AuditLogDeps) {
  return {
    listAuditLog: {
      async handle(request) {
        unlimitedKeyOf(request);
        const { limit, cursor, actor, action, factory, since, until } = request.query;
        const scope = { ...SCOPE, actor, action, factory, since, until };
        const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
        const { records, next } = await audit.list({
          before,
          limit,
          actor,
          action,
          factoryUid: factory === undefined ? undefined : uidOf(factory),
          since: instantIn(since),
          until: instantIn(until),
        });
        return {
          json: {
            audit_log: records.map(recordView),
            page_info:
              next === null
                ? { has_next_page: false }
                : { has_next_page: true, next_cursor: cursors.encode(scope, [next]) },
          },
        };
      },
    },
  } satisfies Endpoints;

  /** Records of a factory outlive it, and are found by its uid then. */
  function uidOf(factory: string): string {
    const found = factories.find(factory)?.record.uid;
    if (found !== undefined) return found;
    if (isUid(factory)) return factory;
    throw noSuchFactory(factory);
  }
}

function recordView(record: StoredAuditRecord): Models["AuditRecord"] {
  return {
    id: record.id,
    at: record.at,
    principal: creatorInfo(record.principal),
    key_id: record.keyId,
    ...(record.runId === null ? {} : { run_id: record.runId }),
    ...(record.factoryUid === null ? {} : { factory_uid: record.factoryUid }),
    action: record.action,
    subject: record.subject,
    status: record.status,
    ...(record.traceId === null ? {} : { trace_id: record.traceId }),
    address: record.address,
    ...(record.lastAt === null ? {} : { repeats: record.repeats, last_at: record.lastAt }),
  };
}

import type { Migration } from "../database.ts";

export const auditFactory: Migration = {
  name: "037-audit-factory",
  sql: `
    -- Without an index: every call of the API that writes would pay for it, and only people filter this log.
    ALTER TABLE audit_log ADD COLUMN factory_uid TEXT;
  `,
};

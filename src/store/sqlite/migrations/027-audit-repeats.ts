import type { Migration } from "../database.ts";

export const auditRepeats: Migration = {
  name: "027-audit-repeats",
  sql: `
    -- Refused calls beyond what a caller may leave in a minute are counted on one record.
    ALTER TABLE audit_log ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE audit_log ADD COLUMN last_at TEXT;
  `,
};

import type { Migration } from "../database.ts";

export const boundNames: Migration = {
  name: "025-bound-names",
  sql: `
    -- Names that settings use for factories, beside those that the settings give: whoever has such a name first keeps it,
    -- also when its definition takes another, and when it is deleted. Another factory that takes the name gets nothing by it.
    CREATE TABLE bound_names (
      name        TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL
    ) WITHOUT ROWID;
  `,
};

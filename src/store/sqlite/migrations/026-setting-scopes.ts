import type { Migration } from "../database.ts";

export const settingScopes: Migration = {
  name: "026-setting-scopes",
  sql: `
    -- Which factories may use what the settings give to all of them otherwise: 'forges.NAME' and 'workerEnvironment'.
    CREATE TABLE setting_scopes (
      name        TEXT NOT NULL,
      -- '*' for every factory.
      factory_uid TEXT NOT NULL,
      PRIMARY KEY (name, factory_uid)
    ) WITHOUT ROWID;

    -- Until now every factory could use all of it. Those that are here go on; '*' stands for each name, which the settings
    -- know and this database does not, until the first start has written the names down.
    INSERT INTO setting_scopes (name, factory_uid) SELECT '*', uid FROM factories;
  `,
};

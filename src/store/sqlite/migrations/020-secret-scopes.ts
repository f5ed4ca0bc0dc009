import type { Migration } from "../database.ts";

export const secretScopes: Migration = {
  name: "020-secret-scopes",
  sql: `
    -- Which factories may use a secret, by its name: one that the settings keep outside of this database has no other row.
    CREATE TABLE secret_scopes (
      name        TEXT NOT NULL,
      -- '*' for every factory. A factory that is gone may stay here: its uid never comes back.
      factory_uid TEXT NOT NULL,
      PRIMARY KEY (name, factory_uid)
    );

    -- Until now every factory could use every secret. Exactly what is in force goes on.
    INSERT INTO secret_scopes (name, factory_uid)
    SELECT DISTINCT used.name, used.factory_uid
    FROM (
      SELECT json_extract(body, '$.secretName') AS name, factory_uid
      FROM resources WHERE kind = 'webhook' AND deleted_at IS NULL
      UNION
      SELECT granted.value, factory_uid
      FROM resources, json_each(resources.body, '$.secrets') AS granted
      WHERE kind = 'factory' AND deleted_at IS NULL
      UNION
      SELECT granted.value, factory_uid
      FROM resources, json_each(resources.body, '$.execution.secrets') AS granted
      WHERE kind IN ('agent', 'automation') AND deleted_at IS NULL
      UNION
      SELECT json_extract(body, '$.execution.harness.auth.secretName'), factory_uid
      FROM resources
      WHERE kind IN ('agent', 'automation') AND deleted_at IS NULL
        AND json_extract(body, '$.execution.harness.auth.source') = 'managedSecret'
    ) AS used
    WHERE used.name IS NOT NULL;
  `,
};

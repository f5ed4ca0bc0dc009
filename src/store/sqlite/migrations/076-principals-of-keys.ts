import type { Migration } from "../database.ts";

/**
 * Keys of one name and kind had one principal. The oldest of them keeps it, with all that was stored under it; each other key
 * gets one of its own.
 */
export const principalsOfKeys: Migration = {
  name: "076-principals-of-keys",
  serversMustKnow: "054-several-servers",
  sql: `
    INSERT INTO principals (uid, kind, display_name, created_at)
    SELECT id, CASE kind WHEN 'personal' THEN 'user' ELSE 'service_account' END, name || ' (' || id || ')', created_at
    FROM api_keys
    WHERE EXISTS (
      SELECT 1 FROM api_keys older
      WHERE older.principal_uid = api_keys.principal_uid
        AND (older.created_at < api_keys.created_at
          OR (older.created_at = api_keys.created_at AND older.id < api_keys.id)));
    UPDATE api_keys SET principal_uid = id WHERE id IN (SELECT uid FROM principals);
  `,
};

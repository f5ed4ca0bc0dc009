import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { keyStore } from "../../../src/store/tables/key-store.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";

test("the upgrade to principals of keys gives each key of a shared name its own, and leaves the oldest as it was", async () => {
  const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
  onFinished(() => connection.close());
  const before = migrations.findIndex(({ name }) => name === "076-principals-of-keys");
  await migrate(connection, new Date(), migrations.slice(0, before));
  for (const [uid, kind] of [
    ["shared", "user"],
    ["alone", "service_account"],
  ] as const) {
    await connection.run(
      "INSERT INTO principals (uid, kind, display_name, created_at) VALUES ($1, $2, 'ci', '2026-01-01')",
      [uid, kind],
    );
  }
  for (const [id, owner, kind, day, revokedAt] of [
    ["c", "shared", "personal", "02", null],
    ["b", "shared", "personal", "02", null],
    ["a", "shared", "personal", "03", null],
    ["d", "shared", "personal", "01", "2026-02-01"],
    ["e", "alone", "agent", "04", null],
  ] as const) {
    await connection.run(
      `INSERT INTO api_keys (id, principal_uid, name, kind, role, prefix, hash, from_settings, created_at, revoked_at)
       VALUES ($1, $2, 'ci', $3, 'viewer', 'mr_', $1, 0, $4, $5)`,
      [id, owner, kind, `2026-01-${day}`, revokedAt],
    );
  }
  await migrate(connection, new Date());
  const keys = await keyStore(connection).list();
  expect(keys.map(({ id, principal }) => [id, principal.uid, principal.type, principal.displayName])).toEqual(
    [
      ["d", "shared", "user", "ci"],
      ["b", "b", "user", "ci"],
      ["c", "c", "user", "ci"],
      ["a", "a", "user", "ci"],
      ["e", "alone", "service_account", "ci"],
    ],
  );
});

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { keyStore } from "../../../src/store/tables/key-store.ts";
import { emptyStoreOf0_1_0 } from "../../given/filled-store.ts";

test("the upgrade to principals of keys gives each key of a shared name its own, and leaves the oldest as it was", async () => {
  const connection = await emptyStoreOf0_1_0("076-principals-of-keys");
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

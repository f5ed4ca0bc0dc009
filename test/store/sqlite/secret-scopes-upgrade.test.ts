import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../../src/store/store.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { AT } from "../../given/store.ts";

const auth = (secretName: string) => ({
  harness: { type: "claude", auth: { source: "managedSecret", secretName } },
});
/** What is stored of two factories: kind, factory, whether it was deleted, and what it says. */
const RESOURCES: [string, string, boolean, object][] = [
  ["webhook", "one", false, { secretName: "OF_WEBHOOK" }],
  ["webhook", "two", true, { secretName: "OF_WEBHOOK" }],
  ["factory", "two", false, { secrets: ["OF_ALL_AGENTS", "OF_TWO"] }],
  ["agent", "one", false, { execution: { secrets: ["OF_TWO"], ...auth("OF_HARNESS") } }],
  ["automation", "two", false, { execution: { secrets: [], harness: { type: "oz" } } }],
  ["automation", "one", true, { execution: { secrets: ["OF_DELETED"], ...auth("OF_DELETED") } }],
  ["agent", "two", false, { execution: { secrets: [], harness: { auth: { source: "workerEnvironment" } } } }],
  ["skill", "two", false, { secrets: ["UNUSED"] }],
];

test("after the upgrade a secret is for exactly the factories whose applied definition uses it", async () => {
  const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
  onFinished(() => connection.close());
  const before = migrations.findIndex(({ name }) => name === "020-secret-scopes");
  await migrate(connection, new Date(), migrations.slice(0, before));
  for (const uid of ["one", "two"])
    await connection.run(
      `INSERT INTO factories (uid, source_key, name, mode, source, status, problems, created_at)
       VALUES ($1, $1, $1, 'managed', '{}', 'synced', '[]', $2)`,
      [uid, AT],
    );
  for (const [index, [kind, factory, isDeleted, body]] of RESOURCES.entries())
    await connection.run(
      `INSERT INTO resources (uid, factory_uid, kind, name, path, body, fingerprint, created_at, updated_at, deleted_at)
       VALUES ($1, $2, $3, $1, '', $4, '', $5, $5, $6)`,
      [String(index), factory, kind, JSON.stringify(body), AT, isDeleted ? AT : null],
    );
  const names = ["OF_WEBHOOK", "OF_ALL_AGENTS", "OF_TWO", "OF_HARNESS", "OF_DELETED", "UNUSED"];
  for (const name of names)
    await connection.run(
      "INSERT INTO secrets (name, sealed, created_at, updated_at) VALUES ($1, $2, $3, $3)",
      [name, Buffer.from("x"), AT],
    );
  await migrate(connection, new Date());
  const { secrets } = createPorts(connection);
  const scopes = (await secrets.list()).map(({ name, shared, factories }) => [name, shared, ...factories]);
  expect(scopes).toEqual([
    ["OF_ALL_AGENTS", false, "two"],
    ["OF_DELETED", false],
    ["OF_HARNESS", false, "one"],
    ["OF_TWO", false, "one", "two"],
    ["OF_WEBHOOK", false, "one"],
    ["UNUSED", false],
  ]);
});

import { describe, expect, test } from "vitest";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { SCHEMA } from "../../../src/store/schema/schema.ts";
import { openSqlite, type SqliteConnection } from "../../../src/store/sqlite/sqlite.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { emptyStoreOf0_1_0 } from "../../given/filled-store.ts";

function opened(): SqliteConnection {
  const connection = openSqlite(":memory:");
  onFinished(() => connection.close());
  return connection;
}

async function newStore(): Promise<SqliteConnection> {
  const connection = opened();
  await migrate(connection, new Date());
  return connection;
}

/** A statement as it would be on one line, without its comments. */
const onOneLine = (sql: string) =>
  sql.replace(/--.*$/gm, "").replace(/\s+/g, " ").replace(/\( /g, "(").replace(/ \)/g, ")");
/** What SQLite does not say of a table elsewhere. */
const WRITTEN_ONLY = /WITHOUT ROWID|AUTOINCREMENT|CHECK \([^)]*\)|COLLATE \w+/g;

/** What the tables, the indexes and the first rows of a store are. */
async function contentOf(connection: SqliteConnection) {
  const made = await connection.all<{ name: string; type: string; sql: string }>(
    "SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const content: Record<string, unknown> = {};
  for (const { name, type, sql } of made) {
    const isTable = type === "table";
    content[name] = {
      sql: isTable ? onOneLine(sql).match(WRITTEN_ONLY) : onOneLine(sql),
      columns: isTable && (await connection.all(`PRAGMA table_xinfo("${name}")`)),
      references: isTable && (await connection.all(`PRAGMA foreign_key_list("${name}")`)),
      keys: isTable && (await keysOf(connection, name)),
      rows: isTable && (name === "migrations" ? await namesIn(connection) : await rowsOf(connection, name)),
    };
  }
  return content;
}

async function keysOf(connection: SqliteConnection, table: string) {
  const indexes = await connection.all<{ name: string; origin: string; unique: number }>(
    `PRAGMA index_list("${table}")`,
  );
  const own = indexes.filter(({ origin }) => origin !== "c");
  return Promise.all(
    own.map(async ({ name, origin, unique }) => [
      origin,
      unique,
      (await connection.all<{ name: string }>(`PRAGMA index_info("${name}")`)).map((column) => column.name),
    ]),
  );
}

const namesIn = (connection: SqliteConnection) => connection.all("SELECT name FROM migrations ORDER BY name");

async function rowsOf(connection: SqliteConnection, table: string) {
  const columns = await connection.all<{ name: string }>(`PRAGMA table_info("${table}")`);
  return connection.all(`SELECT ${columns.map(({ name }) => `"${name}"`).join(", ")} FROM "${table}"`);
}

/** What all others are to become. */
const fresh = sharedByFile(async () => contentOf(await newStore()));

describe("the schema", () => {
  test("of an empty store of version 0.1.0 becomes that of a new one", async () => {
    const earlier = await emptyStoreOf0_1_0();
    await migrate(earlier, new Date());
    const content = await contentOf(earlier);
    expect(Object.keys(content).length).toBeGreaterThan(150);
    expect(content).toEqual(await fresh());
  });

  test.each(SCHEMA.steps.map(({ name }) => name))(
    "of a store that stopped before %s becomes that of a new one",
    async (step) => {
      const earlier = await emptyStoreOf0_1_0(step);
      await migrate(earlier, new Date());
      expect(await contentOf(earlier)).toEqual(await fresh());
    },
  );

  test("of a newer millrace is refused with a sentence, and nothing is changed", async () => {
    const connection = opened();
    const later = { name: "999-future", sql: "CREATE TABLE later (id TEXT)" };
    await migrate(connection, new Date(), { ...SCHEMA, steps: [...SCHEMA.steps, later] });
    const before = await contentOf(connection);
    await expect(migrate(connection, new Date())).rejects.toThrow(
      'The database was created by a newer version of millrace: it has the migration "999-future", which this version does not know.',
    );
    expect(await contentOf(connection)).toEqual(before);
  });

  test("from before version 0.1.0 is refused with what to do, and nothing is changed", async () => {
    const connection = await emptyStoreOf0_1_0();
    await connection.run("DELETE FROM migrations WHERE name >= '030'");
    const before = await contentOf(connection);
    await expect(migrate(connection, new Date())).rejects.toMatchObject({
      code: "service_unavailable",
      message:
        'The database was created by an older version of millrace, from before version 0.1.0: it does not have the migration "030-conversations".',
      remedy: "Start version 0.1.0 with this database once, and then this version.",
    });
    expect(await contentOf(connection)).toEqual(before);
  });
});

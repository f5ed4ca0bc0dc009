import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { transcriptsBeside } from "../../../src/store/runs/transcript-file.ts";
import {
  aFilledStore,
  anEmptyStore,
  MASTER_KEY,
  move,
  onPostgres,
  rowsOf,
  withDatabase,
} from "../../given/filled-store.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";

/** On SQLite, the bytes of artifacts are files, so these tables are empty there. */
const OF_ARTIFACTS = ["artifact_files", "artifact_bytes"];
/** When each step was applied is a fact about one database. */
const OF_ONE_DATABASE = ["migrations"];

/** The rows of both files, without those of one database. */
function storedIn(database: string): Record<string, string[]> {
  const tables = { ...rowsOf(transcriptsBeside(database)), ...rowsOf(database) };
  const kept = Object.entries(tables).filter(([name]) => !OF_ONE_DATABASE.includes(name));
  return Object.fromEntries(kept.map(([name, rows]) => [name, rows.sort()]));
}

test("a store with something in every table is the same after a move to PostgreSQL and back", async () => {
  const { dataDir, database } = await aFilledStore(OF_ARTIFACTS);
  const before = storedIn(database);
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([name]) => name).sort()).toEqual([...OF_ARTIFACTS].sort());

  const url = await aPostgresDatabase();
  expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 0 });
  expect(storedIn(database)).toEqual(before);
  const copy = join(temporaryFolder(), "copy.db");
  const back = await move(["--data-dir", dataDir, "--from", url, "--to", `sqlite:${copy}`]);
  expect(back).toMatchObject({ code: 0 });
  expect(storedIn(copy)).toEqual(before);
});

test("a move makes the tables in a database that has none, and says what it has done as JSON", async () => {
  const { dataDir, database } = await aFilledStore(OF_ARTIFACTS);
  const url = await aPostgresDatabase({ hasSchema: false });
  const { code, printed, said } = await move(["--data-dir", dataDir, "--to", url, "--json"]);
  expect([code, said]).toEqual([0, ""]);
  const result = JSON.parse(printed);
  const stored = Object.entries(storedIn(database)).filter(([name]) => name !== "sqlite_sequence");
  expect(result).toMatchObject({ from: database, to: url, artifacts: 0, replaced_texts: 0 });
  expect(result.rows).toBe(stored.reduce((sum, [, rows]) => sum + rows.length, 0));
  expect(result.tables).toHaveLength(stored.length);
});

test("a database has the same indexes and keys after a move as before", async () => {
  const described = `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
                     WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
                     UNION SELECT conname || ' ' || conrelid::regclass::text || ' ' || pg_get_constraintdef(oid)
                     FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`;
  const url = await aPostgresDatabase();
  const before = await onPostgres(url, described);
  const { dataDir } = await anEmptyStore();
  for (const target of [url, await aPostgresDatabase({ hasSchema: false })]) {
    expect(await move(["--data-dir", dataDir, "--to", target])).toMatchObject({ code: 0 });
    expect(await onPostgres(target, described)).toEqual(before);
  }
  expect(before.length).toBeGreaterThan(100);
});

test("the next numbers are later ones than those that the store has given before", async () => {
  const { dataDir, database } = await aFilledStore(OF_ARTIFACTS);
  // Only SQLite's own table knows of the last one.
  await withDatabase(database, (connection) => connection.run("DELETE FROM task_events"));
  const url = await aPostgresDatabase();
  expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 0 });
  const add =
    "INSERT INTO task_events (task_uid, to_stage, at) VALUES ('task', 'stage', 'now') RETURNING seq";
  expect(await onPostgres(url, add)).toEqual([{ seq: 4 }]);
  await onPostgres(url, "DELETE FROM task_events");
  const numbered = "INSERT INTO facet_texts (text) VALUES ('next') RETURNING id";
  expect(await onPostgres(url, numbered)).toEqual([{ id: 4 }]);

  const copy = join(temporaryFolder(), "copy.db");
  expect(await move(["--data-dir", dataDir, "--from", url, "--to", `sqlite:${copy}`])).toMatchObject({
    code: 0,
  });
  const next = await withDatabase(copy, (connection) => connection.first(add));
  expect(next).toEqual({ seq: 5 });
});

test("characters that PostgreSQL does not store are replaced, also in keys, and their texts are counted", async () => {
  const { dataDir, database } = await anEmptyStore();
  await withDatabase(database, async (connection) => {
    const add = `INSERT INTO pull_request_authors (factory_uid, repository, number, author, told_at)
                 VALUES ('f', $1, 1, $2, 'now')`;
    await connection.run(add, ["acme/sh\0op", "a\0nn\0"]);
    await connection.run(add, ["acme/sh", "ann"]);
    // Half of a surrogate pair, as an earlier version has stored it.
    connection.execute("UPDATE pull_request_authors SET told_at = 'x' || CAST(x'eda080' AS TEXT)");
  });
  const url = await aPostgresDatabase();
  const { code, printed } = await move(["--data-dir", dataDir, "--to", url]);
  expect(code).toBe(0);
  expect(printed).toContain("2 texts contained characters that PostgreSQL does not store (U+0000).");
  const select = "SELECT repository, author, told_at FROM pull_request_authors ORDER BY repository";
  const told_at = "x\ufffd\ufffd\ufffd";
  expect(await onPostgres(url, select)).toEqual([
    { repository: "acme/sh", author: "ann", told_at },
    { repository: "acme/sh\ufffdop", author: "a\ufffdnn\ufffd", told_at },
  ]);
});

test("a target that stores something else is found, and keeps nothing", async () => {
  const { dataDir } = await aFilledStore(OF_ARTIFACTS);
  const url = await aPostgresDatabase();
  await onPostgres(
    url,
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN NEW.text := NEW.text || ''x''; RETURN NEW; END';
     CREATE TRIGGER spoil BEFORE INSERT ON run_messages FOR EACH ROW EXECUTE FUNCTION spoil()`,
  );
  const { code, said } = await move(["--data-dir", dataDir, "--to", url]);
  expect(code).toBe(1);
  expect(said).toContain(
    "The table run_messages of the target is not the same as that of the source: it has 3 rows",
  );
  const count = "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM changes) AS rows";
  expect(await onPostgres(url, count)).toEqual([{ rows: 0 }]);
  await onPostgres(url, "DROP TRIGGER spoil ON run_messages");
  expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 0 });
});

test("the master key is the same before and after, and a file of the data folder is named with it", async () => {
  const { dataDir } = await anEmptyStore();
  const keyFile = join(dataDir, "master.key");
  writeFileSync(keyFile, `${MASTER_KEY}\n`);
  const url = await aPostgresDatabase();
  const { code, printed } = await move(["--data-dir", dataDir, "--to", url], { MILLRACE_MASTER_KEY: "" });
  expect(code).toBe(0);
  expect(printed).toContain(`MILLRACE_MASTER_KEY_FILE='${keyFile}'`);
  expect(await onPostgres(url, "SELECT count(*) AS rows FROM sealing")).toEqual([{ rows: 1 }]);
});

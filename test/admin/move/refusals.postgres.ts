import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { onFinished } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { anEmptyStore, move, onPostgres, withDatabase } from "../../given/filled-store.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { startServer } from "../../given/server.ts";

/** The version before this one lacks its last step. */
const OLDER = "DELETE FROM migrations WHERE name = (SELECT MAX(name) FROM migrations WHERE name < 't')";
const NEWER = "INSERT INTO migrations (name, applied_at) VALUES ('999-later', 'later')";

async function aServerOn(url: string) {
  const store = await openPostgres(url, {
    onLost: () => {},
    onCommit: () => {},
    onFailure: () => {},
    onOthers: () => {},
  });
  onFinished(() => store.close());
}

describe("a move is refused", () => {
  test("while a server uses the source, of either kind", async () => {
    const url = await aPostgresDatabase();
    const dataDir = join(temporaryFolder(), "data");
    const env = { MILLRACE_DATABASE_URL: `sqlite:${join(dataDir, "millrace.db")}` };
    await startServer({ sources: [folderWith(FACTORY)], dataDir, env });
    const used = await move(["--data-dir", dataDir, "--to", url]);
    expect(used.code).toBe(1);
    expect(used.said).toContain("Another millrace process uses the data folder");
    expect(used.said).toContain("Stop it first");

    await aServerOn(url);
    const back = await move([
      "--data-dir",
      temporaryFolder(),
      "--from",
      url,
      "--to",
      `sqlite:${dataDir}/b.db`,
    ]);
    expect(back.code).toBe(1);
    expect(back.said).toContain(
      "A millrace server or another move uses the PostgreSQL database.\nStop every server",
    );
  });

  test("while a server uses the target", async () => {
    const { dataDir } = await anEmptyStore();
    const url = await aPostgresDatabase();
    await aServerOn(url);
    const { code, said } = await move(["--data-dir", dataDir, "--to", url]);
    expect([code, said]).toEqual([
      1,
      expect.stringContaining("A millrace server or another move uses the PostgreSQL database."),
    ]);
  });

  test("when the folder of the target does not exist, before the source is asked", async () => {
    const folder = join(temporaryFolder(), "missing");
    const args = ["--data-dir", temporaryFolder(), "--from", "postgres://127.0.0.1:1/none"];
    const { code, said } = await move([...args, "--to", `sqlite:${folder}/b.db`]);
    expect(code).not.toBe(0);
    expect(said).toContain(`The folder ${folder} of the target does not exist.`);
    expect(existsSync(folder)).toBe(false);
  });

  test("when the target is not empty", async () => {
    const { dataDir, database } = await anEmptyStore();
    const url = await aPostgresDatabase();
    await onPostgres(url, "INSERT INTO facet_texts (text) VALUES ('a')");
    const { code, said } = await move(["--data-dir", dataDir, "--to", url]);
    expect(code).toBe(6);
    expect(said).toContain("The PostgreSQL database is not empty: its table facet_texts contains data.");
    await onPostgres(url, "DELETE FROM facet_texts; UPDATE listing_progress SET seq = 1");
    expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 6 });

    const back = await move(["--data-dir", dataDir, "--from", url, "--to", `sqlite:${database}`]);
    expect(back.code).toBe(6);
    expect(back.said).toContain(`The database ${database} already exists`);
  });

  test.each([
    ["older", OLDER, "was created by an older version of millrace"],
    ["newer", NEWER, "was created by a newer version of millrace"],
  ])("when the source or the target is of an %s version", async (_, change, reason) => {
    const { dataDir, database } = await anEmptyStore();
    const url = await aPostgresDatabase();
    await onPostgres(url, change);
    const target = await move(["--data-dir", dataDir, "--to", url]);
    expect([target.code, target.said]).toEqual([1, expect.stringContaining(reason)]);
    const copy = join(temporaryFolder(), "copy.db");
    const source = await move(["--data-dir", dataDir, "--from", url, "--to", `sqlite:${copy}`]);
    expect([source.code, source.said]).toEqual([1, expect.stringContaining(reason)]);
    expect(existsSync(copy)).toBe(false);

    await withDatabase(database, (connection) => connection.run(change));
    const other = await aPostgresDatabase();
    const file = await move(["--data-dir", dataDir, "--to", other]);
    expect([file.code, file.said]).toEqual([1, expect.stringContaining(reason)]);
  });

  test("from a database to itself or to one of its kind, and to what is no database", async () => {
    const { dataDir, database } = await anEmptyStore();
    const url = "postgres://millrace:a-password@localhost/millrace";
    const cases: [string[], string][] = [
      [["--to", `sqlite:${database}`], "The source and the target are the same database."],
      [["--from", url, "--to", url], "The source and the target are the same database."],
      [["--to", "sqlite:other.db"], "both databases of SQLite"],
      [["--from", url, "--to", "postgres://localhost/other"], "both databases of PostgreSQL"],
      [["--to", "mysql://localhost/millrace"], "--to is not the URL of a database: expected sqlite:PATH"],
    ];
    for (const [args, reason] of cases) {
      const { code, said } = await move(["--data-dir", dataDir, ...args]);
      expect([code, said]).toEqual([2, expect.stringContaining(reason)]);
      expect(said).not.toContain("a-password");
    }
  });

  test("without the database or the transcripts of the source, and makes nothing", async () => {
    const folder = temporaryFolder();
    const url = await aPostgresDatabase();
    const { code, said } = await move(["--data-dir", join(folder, "none"), "--to", url]);
    expect([code, said]).toEqual([1, expect.stringContaining("does not exist")]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with another master key than that of the store, or without one", async () => {
    const { dataDir } = await anEmptyStore();
    const url = await aPostgresDatabase();
    const other = await move(["--data-dir", dataDir, "--to", url], {
      MILLRACE_MASTER_KEY: "another-master-key-of-a-server",
    });
    expect([other.code, other.said]).toEqual([1, expect.stringContaining("different master key")]);
    const none = await move(["--data-dir", dataDir, "--to", url], { MILLRACE_MASTER_KEY: "" });
    expect([none.code, none.said]).toEqual([
      1,
      expect.stringContaining("The master key of the store is not set."),
    ]);
  });
});

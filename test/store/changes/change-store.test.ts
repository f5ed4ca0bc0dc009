import { beforeEach, describe, expect, test } from "vitest";
import { changeStore, FOLLOWERS } from "../../../src/store/changes/change-store.ts";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { openSqlite, type SqliteConnection } from "../../../src/store/sqlite/sqlite.ts";

const FOLLOWER_TABLES = Object.keys(FOLLOWERS);

describe("the log of changes", () => {
  let connection: SqliteConnection;

  beforeEach(async () => {
    connection = openSqlite(":memory:");
    await migrate(connection, new Date());
    for (let seq = 1; seq <= 10; seq += 1)
      connection.execute(
        `INSERT INTO changes (seq, kind, subject, status, at) VALUES (${seq}, 'run', 'r', 'QUEUED', '')`,
      );
    connection.execute(
      "INSERT INTO trigger_listeners (automation_uid, factory_uid, since) VALUES ('a', 'f', 0)",
    );
    for (const table of FOLLOWER_TABLES) connection.execute(`UPDATE ${table} SET seq = 10`);
    for (const table of FOLLOWER_TABLES.filter((each) => FOLLOWERS[each as never] === "is_active = 1"))
      connection.execute(`UPDATE ${table} SET is_active = 1`);
  });

  test("knows everybody who follows it", async () => {
    const tables = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%\\_progress' ESCAPE '\\'",
    );
    expect(tables.map(({ name }) => name).toSorted()).toEqual(FOLLOWER_TABLES.toSorted());
  });

  test.each(FOLLOWER_TABLES)("keeps what %s has still to read, and forgets it then", async (table) => {
    const changes = changeStore(connection);
    connection.execute(`UPDATE ${table} SET seq = 4`);
    expect(await changes.prune(0, 100)).toBe(4);
    connection.execute(`UPDATE ${table} SET seq = 10`);
    expect(await changes.prune(0, 100)).toBe(6);
  });

  test("keeps nothing for whoever has nobody to follow it for", async () => {
    for (const table of ["notification_progress", "outbound_progress"])
      connection.execute(`UPDATE ${table} SET is_active = 0, seq = 0`);
    connection.execute("DELETE FROM trigger_listeners");
    connection.execute("UPDATE trigger_progress SET seq = 0");
    expect(await changeStore(connection).prune(0, 100)).toBe(10);
  });
});

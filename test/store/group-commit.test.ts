import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitTogether } from "../../src/store/group-commit.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { lockFile, openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../src/store/store.ts";
import { aStoreOf } from "../given/factory.ts";
import { temporaryFolder } from "../given/folder.ts";
import { onSqlite } from "../given/postgres.ts";
import { AT, aDelivery, aRun, aStore } from "../given/store.ts";

describe("calls that come together", () => {
  test("share one transaction, and the one that fails fails alone", async () => {
    const { connection } = await aStore();
    const ports = createPorts(connection);
    const run = aRun();
    const call = (id: string) => ({ port: "runs" as const, method: "create", args: [{ ...run, id }, AT] });
    const outcomes = await commitTogether(connection, ports, [call("a"), call("a"), call("b")]);
    expect(outcomes.map((outcome) => "value" in outcome)).toEqual([true, false, true]);
    expect(await ports.runs.find("a")).toBeDefined();
    expect(await ports.runs.find("b")).toBeDefined();
  });

  test("decide between two of the same identity in one batch", async () => {
    const { connection } = await aStoreOf("factory");
    const identityKey = Buffer.from("same");
    const call = () => ({
      port: "deliveries" as const,
      method: "record",
      args: [aDelivery({ identityKey })],
    });
    const outcomes = await commitTogether(connection, createPorts(connection), [call(), call(), call()]);
    const values = outcomes.map((outcome) =>
      "value" in outcome ? (outcome.value as { outcome: string }).outcome : "failed",
    );
    expect(values).toEqual(["Accepted", "Duplicate", "Duplicate"]);
  });

  onSqlite("all fail, and nothing is stored, when the store cannot write", async () => {
    const { connection } = await aStoreOf("factory");
    // A store that may not grow is what a full disk looks like.
    const pages = await connection.first<{ page_count: number }>("PRAGMA page_count");
    await connection.all(`PRAGMA max_page_count = ${pages?.page_count}`);
    const ports = createPorts(connection);
    const big = {
      port: "deliveries" as const,
      method: "record",
      args: [aDelivery({ payload: Buffer.alloc(100_000) })],
    };
    const small = {
      port: "secrets" as const,
      method: "put",
      args: [{ name: "A", sealed: Buffer.from("1") }, AT],
    };
    const outcomes = await commitTogether(connection, ports, [small, big]);
    expect(outcomes.every((outcome) => "failure" in outcome && outcome.failure.storeFailed)).toBe(true);
    expect(await ports.secrets.list()).toEqual([]);
    await connection.all("PRAGMA max_page_count = 1000000");
    expect(await commitTogether(connection, ports, [big])).toMatchObject([
      { value: { outcome: "Accepted" } },
    ]);
  });
});

describe("a database", () => {
  test("that a newer millrace has made is refused with a sentence", async () => {
    const connection = openSqlite(join(temporaryFolder(), "x.db"));
    await migrate(connection, new Date());
    await connection.run("INSERT INTO migrations (name, applied_at) VALUES ('999-future', $1)", [AT]);
    await expect(migrate(connection, new Date())).rejects.toThrow(
      /created by a newer version of millrace: it has the migration "999-future"/,
    );
    connection.close();
  });

  test("is migrated step by step; a step that fails leaves nothing, and is tried again", async () => {
    const connection = openSqlite(join(temporaryFolder(), "x.db"));
    const first = { name: "001", sql: "CREATE TABLE one (x TEXT)" };
    const migrated = (second: string) =>
      migrate(connection, new Date(), {
        sql: "",
        recorded: [],
        steps: [first, { name: "002", sql: second }],
      });
    await expect(migrated("CREATE TABLE two (x TEXT); CREATE TABLE one (x TEXT)")).rejects.toThrow(
      "already exists",
    );
    const tables = async () =>
      (
        await connection.all<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
        )
      ).map(({ name }) => name);
    expect(await tables()).toEqual(["migrations", "one"]);
    await migrated("CREATE TABLE two (x TEXT)");
    expect(await tables()).toEqual(["migrations", "one", "two"]);
    connection.close();
  });

  onSqlite("is opened for durability", async () => {
    const { connection } = await aStore();
    expect(await connection.first("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    expect(await connection.first("PRAGMA synchronous")).toEqual({ synchronous: 2 });
    expect(await connection.first("PRAGMA foreign_keys")).toEqual({ foreign_keys: 1 });
  });

  test("takes parameters by number, in any order and more than once", async () => {
    const { connection } = await aStore();
    expect(await connection.first("SELECT $2 AS b, $1 AS a, $2 AS c", ["x", "y"])).toEqual({
      a: "x",
      b: "y",
      c: "y",
    });
  });
});

test("a lock is held by one, and free when it is released", () => {
  const path = join(temporaryFolder(), "lock");
  const release = lockFile(path);
  expect(release).toBeDefined();
  expect(lockFile(path)).toBeUndefined();
  release?.();
  lockFile(path)?.();
});

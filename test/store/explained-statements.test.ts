import { expect, test } from "vitest";
import { unexpectedScans } from "../given/allowed-scans.ts";
import { scansOnSqlite } from "../given/explained-statements.ts";

const found = async (...statements: string[]) =>
  unexpectedScans(await scansOnSqlite(statements)).map(({ table, index }) => [table, index]);

test("a statement that reads a table that grows from its beginning to its end is found", async () => {
  expect(await found("SELECT COUNT(*) FROM runs AS r WHERE r.answer = $1")).toEqual([["runs", ""]]);
  expect(await found("DELETE FROM deliveries WHERE size = $1")).toEqual([["deliveries", ""]]);
  expect(await found("UPDATE runs SET title = $1 WHERE answer = $2")).toEqual([["runs", ""]]);
});

test("so is one that reads an index in order to sort", async () => {
  const inOrder = "SELECT run_id FROM runs WHERE worker = $1 AND lease_expires_at >= $2 ORDER BY run_id";
  expect(await found(inOrder)).toEqual([["runs", "sqlite_autoindex_runs_1"]]);
});

test("one that uses what its index knows is not, nor one about a table that stays small", async () => {
  const byLease =
    "SELECT run_id FROM runs INDEXED BY runs_leased WHERE lease_expires_at >= $1 ORDER BY run_id";
  expect(await found(byLease, "SELECT * FROM runs WHERE run_id = $1", "SELECT name FROM factories")).toEqual(
    [],
  );
});

import { describe, expect, test } from "vitest";
import { postgresStatements } from "../../../src/store/postgres/migrate-postgres.ts";
import { SCHEMA } from "../../../src/store/schema/schema.ts";
import { STEPS } from "../../../src/store/schema/steps.ts";
import type { Migration } from "../../../src/store/sqlite/database.ts";

/** The first with which servers of two versions share a database. */
const FIRST_SHARED = "054-several-servers";

/** What a step does that servers which do not know it may fail at. */
function whatOlderServersMiss(step: Migration): string[] {
  const statements = postgresStatements(step);
  const made = statements.map((statement) => /^CREATE TABLE (\w+)/i.exec(statement)?.[1]);
  return statements.filter((statement) => {
    const [, table] = /^CREATE UNIQUE INDEX \w+ ON (\w+)/i.exec(statement) ?? [];
    if (table) return !made.includes(table);
    if (/^ALTER TABLE \w+ ADD COLUMN/i.test(statement))
      return /\b(UNIQUE|CHECK|REFERENCES)\b/i.test(statement) || /NOT NULL(?!.*DEFAULT)/i.test(statement);
    return !/^(CREATE (TABLE|INDEX)|INSERT INTO|UPDATE)\b/i.test(statement);
  });
}

describe("a migration", () => {
  const shared = STEPS.filter(({ name }) => name >= FIRST_SHARED);

  test("names an earlier one where it says what servers must know", () => {
    const names = SCHEMA.recorded.map(({ name }) => name);
    const wrong = STEPS.filter(
      ({ name, serversMustKnow }) =>
        serversMustKnow !== undefined && !names.slice(0, names.indexOf(name)).includes(serversMustKnow),
    );
    expect(wrong).toEqual([]);
  });

  test("only adds to the schema, unless it requires servers that know more than those before it did", () => {
    let required = FIRST_SHARED;
    for (const step of shared) {
      const { name, serversMustKnow = name } = step;
      if (serversMustKnow <= required) expect([name, whatOlderServersMiss(step)]).toEqual([name, []]);
      else required = serversMustKnow;
    }
  });

  test.each([
    ["DROP TABLE runs", 1],
    ["ALTER TABLE runs DROP COLUMN prompt", 1],
    ["ALTER TABLE runs RENAME COLUMN prompt TO text", 1],
    ["ALTER TABLE runs ADD COLUMN a TEXT NOT NULL", 1],
    ["ALTER TABLE runs ADD COLUMN a TEXT UNIQUE", 1],
    ["CREATE UNIQUE INDEX one ON runs (prompt)", 1],
    ["DELETE FROM runs", 1],
    ["ALTER TABLE runs ADD COLUMN a TEXT; ALTER TABLE runs ADD COLUMN b INTEGER NOT NULL DEFAULT 0", 0],
    [
      "CREATE TABLE a (b TEXT NOT NULL); CREATE UNIQUE INDEX one ON a (b); CREATE INDEX two ON runs (prompt)",
      0,
    ],
  ])("with `%s` has %i statements that older servers may fail at", (sql, missed) => {
    expect(whatOlderServersMiss({ name: "900-later", sql })).toHaveLength(missed);
  });
});

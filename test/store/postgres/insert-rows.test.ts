import { expect, test } from "vitest";
import { insertRows } from "../../../src/store/postgres/gather-statements.ts";

test("an insert of one row becomes one of several, whose values are numbered on", () => {
  const insert = insertRows("INSERT INTO runs (id, state, at, updated_at) VALUES ($1, 'QUEUED', $2, $2)");
  expect(insert?.text(3)).toBe(
    "INSERT INTO runs (id, state, at, updated_at) VALUES ($1, 'QUEUED', $2, $2), ($3, 'QUEUED', $4, $4), ($5, 'QUEUED', $6, $6)",
  );
});

test("an insert that leaves rows which are there returns the key of those that it has written", () => {
  const insert = insertRows(
    "INSERT INTO seen (at, a, b) VALUES ($1, $2, $3)\n ON CONFLICT (b, a) DO NOTHING",
  );
  expect(insert?.text(2)).toBe(
    "INSERT INTO seen (at, a, b) VALUES ($1, $2, $3), ($4, $5, $6) ON CONFLICT (b, a) DO NOTHING RETURNING b, a",
  );
  expect(insert?.conflict).toEqual([2, 1]);
});

test.each([
  ["UPDATE runs SET state = $1"],
  ["INSERT INTO runs (id) SELECT id FROM others WHERE id = $1"],
  ["INSERT INTO runs (id) VALUES ($1) RETURNING id"],
  ["INSERT INTO runs (id) VALUES ($1) ON CONFLICT DO NOTHING"],
  ["INSERT INTO runs (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id"],
  ["INSERT INTO runs (id) VALUES (lower($1))"],
  ["INSERT INTO runs (id, kind) VALUES ($1, 'a') ON CONFLICT (kind) DO NOTHING"],
])("%s is carried out alone", (sql) => {
  expect(insertRows(sql)).toBeUndefined();
});

import { expect, inject, test } from "vitest";
import { unexpectedScans } from "../../given/allowed-scans.ts";
import { scansOnPostgres } from "../../given/explained-statements.ts";

test("of the statements that PostgreSQL is asked, those that read a whole table that grows are found", async () => {
  const statements = [
    "SELECT run_id FROM runs WHERE run_id = $1",
    "SELECT COUNT(*) FROM runs WHERE answer = $1",
    // An index that begins with another column is read as a whole, too.
    "SELECT tag FROM run_tags WHERE tag = $1 AND number = $2",
    "SELECT hash FROM sessions WHERE expires_at < $1",
    "SELECT event_uuid FROM run_events WHERE event_type = $1",
  ];
  const scans = unexpectedScans(await scansOnPostgres(statements, inject("postgres")));
  expect(scans.map(({ table }) => table)).toEqual(["runs", "run_events"]);
});

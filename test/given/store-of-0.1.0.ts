import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { migrate } from "../../src/store/schema/migrate.ts";
import { SCHEMA } from "../../src/store/schema/schema.ts";
import { openSqlite, type SqliteConnection } from "../../src/store/sqlite/sqlite.ts";
import { onFinished } from "./cleanup.ts";

const STORE = fileURLToPath(new URL("../store/schema/0.1.0.sql", import.meta.url));
/** What a store has before anything is done with it. */
const FIRST_ROWS = /^INSERT INTO (?:migrations|\w+_progress) /;

/** A store as version 0.1.0 made it: the statements that make it again, with all that was in it. */
export const STORE_OF_0_1_0 = readFileSync(STORE, "utf8");

/**
 * Opens an empty store of version 0.1.0.
 * @param step the first step of the schema that it lacks; without one, it has none of those since then
 */
export async function emptyStoreOf0_1_0(step?: string): Promise<SqliteConnection> {
  const connection = openSqlite(":memory:");
  onFinished(() => connection.close());
  const statements = STORE_OF_0_1_0.split(/;\n/).filter(
    (statement) => !/^INSERT /.test(statement) || FIRST_ROWS.test(statement),
  );
  connection.execute(`${statements.join(";\n")}; UPDATE listing_progress SET seq = 0`);
  const before = step === undefined ? 0 : SCHEMA.steps.findIndex(({ name }) => name === step);
  await migrate(connection, new Date(), { ...SCHEMA, recorded: [], steps: stepsUpTo(before) });
  return connection;
}

/** Those of version 0.1.0, which it has, and those that it is to get. */
function stepsUpTo(count: number) {
  const released = SCHEMA.recorded.slice(0, SCHEMA.recorded.length - SCHEMA.steps.length);
  return [...released.map(({ name }) => ({ name, sql: "" })), ...SCHEMA.steps.slice(0, count)];
}

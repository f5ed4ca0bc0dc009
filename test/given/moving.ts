import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { MASTER_KEY } from "./filled-store.ts";
import { run } from "./server.ts";

/** Runs `millrace move` with the master key of the stores of tests. */
export function move(args: readonly string[], env: Record<string, string> = {}) {
  return run(["move", ...args], { MILLRACE_MASTER_KEY: MASTER_KEY, ...env });
}

/** Carries out statements on a database of PostgreSQL. @returns the rows of the last one */
export async function onPostgres(url: string, sql: string): Promise<unknown[]> {
  // Several statements in one text have several results, of which the last one counts.
  const client = await connectPostgres({ url, name: "test" });
  try {
    return [await client.query(sql)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

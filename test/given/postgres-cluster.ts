import { startPostgres } from "./start-postgres.ts";

/**
 * Starts a PostgreSQL for all tests of a run, unless MILLRACE_TEST_POSTGRES names one already.
 * @returns what ends it, and removes what it has stored
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MILLRACE_TEST_POSTGRES) return undefined;
  const { url, stop } = await startPostgres();
  process.env.MILLRACE_TEST_POSTGRES = url;
  return stop;
}

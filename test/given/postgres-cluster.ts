import type { TestProject } from "vitest/node";
import { explainOnPostgres } from "./explained-statements.ts";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the PostgreSQL of these tests is; tests that have none use SQLite. */
    postgres: string;
  }
}

/**
 * Starts a PostgreSQL for all tests of a project, unless MILLRACE_TEST_POSTGRES names one already.
 * @returns what ends it, and removes what it has stored
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const running = process.env.MILLRACE_TEST_POSTGRES;
  if (running !== undefined) {
    provide("postgres", running);
    return () => explainOnPostgres(running);
  }
  const { url, stop } = await startPostgres();
  provide("postgres", url);
  return async () => {
    await explainOnPostgres(url);
    await stop();
  };
}

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** How tests run, those of `npm test` and those of `npm run test:system`. */
export const everyTest = {
  globalSetup: ["test/given/build.ts", "test/given/explained-statements.ts"],
  execArgv: ["--require", fileURLToPath(new URL("test/given/record-statements.cjs", import.meta.url))],
  setupFiles: ["test/given/file-modes.ts", "test/given/short-keep-alive.ts", "test/given/measure-file.ts"],
  // Tests start real servers, git processes and agents; a slow machine is no reason to fail.
  testTimeout: 60_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 20_000 } },
  allowOnly: false,
  // One line for each file: the slowest files are listed at the end.
  slowTestThreshold: 10 * 60_000,
  // One more than the cores of a small machine: a third of the time of tests is waiting.
  maxWorkers: 3,
  // Nothing is mocked, so files can share what they import: loading it again costs more than most files take.
  isolate: false,
  // Servers in the process of the tests are the build, as Node loads it.
  server: { deps: { external: [/\/dist\//] } },
};

/** Servers and commands are parts of the process of the tests, which takes less CPU time. */
export const SHARED_SERVERS = { SERVERS: "shared" };

/** Tests with databases of PostgreSQL, which starts with them. */
export function onPostgres(include: string[], exclude: string[] = []) {
  return {
    ...everyTest,
    name: "postgres",
    globalSetup: [...everyTest.globalSetup, "test/given/postgres-cluster.ts"],
    include,
    exclude,
    env: SHARED_SERVERS,
  };
}

/** `npm test`: what needs Node, git and npm alone, and no more than a few seconds for each file. */
export default defineConfig({ test: { ...everyTest, include: ["test/**/*.test.ts"], env: SHARED_SERVERS } });

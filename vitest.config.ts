import { defineConfig } from "vitest/config";

/** How tests run, those of `npm test` and the stories. */
export const everyTest = {
  globalSetup: ["test/given/build.ts"],
  setupFiles: ["test/given/file-modes.ts", "test/given/short-keep-alive.ts"],
  // Tests start real servers, git processes and agents; a slow machine is no reason to fail.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 20_000 } },
  allowOnly: false,
  // One more than the cores of a small machine: a third of the time of tests is waiting.
  maxWorkers: 3,
  // Nothing is mocked, so files can share what they import: loading it again costs more than most files take.
  isolate: false,
  // Servers in the process of the tests are the build, as Node loads it.
  server: { deps: { external: [/\/dist\//] } },
};

export default defineConfig({
  test: { ...everyTest, include: ["test/**/*.test.ts"], env: { SERVERS: "shared" } },
});

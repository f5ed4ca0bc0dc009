import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/given/build.ts"],
    // Tests start real servers, git processes and agents; a slow machine is no reason to fail.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    // One more than the cores of a small machine: a third of the time of tests is waiting.
    maxWorkers: 3,
    // Nothing is mocked, so files can share what they import: loading it anew costs more than most files take.
    isolate: false,
  },
});

import { defineConfig } from "vitest/config";

/** `npm run test:agents`: needs the agents' own programs, which `npm test` does not. */
export default defineConfig({
  test: {
    include: ["test/agents/**/*.proof.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    allowOnly: false,
    maxWorkers: 1,
  },
});

import { defineConfig } from "vitest/config";

/** `npm run test:deploy`: needs programs that `npm test` does not need. */
export default defineConfig({
  test: {
    include: ["test/deploy/**/*.proof.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    maxWorkers: 1,
  },
});

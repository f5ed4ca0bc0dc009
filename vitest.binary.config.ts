import { defineConfig } from "vitest/config";

/** `npm run test:binary`: needs the binary, which `npm test` does not build. The journeys are those of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/binary/**/*.proof.ts", "test/journey/**/*.test.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    maxWorkers: 2,
  },
});

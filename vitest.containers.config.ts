import { defineConfig } from "vitest/config";

/** `npm run test:containers`: needs a container engine, which `npm test` does not. */
export default defineConfig({
  test: {
    include: ["test/containers/**/*.proof.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    allowOnly: false,
    // One engine after the other: each has storage and limits of its own.
    maxWorkers: 1,
  },
});

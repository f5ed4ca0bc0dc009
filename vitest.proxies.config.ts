import { defineConfig } from "vitest/config";

/** `npm run test:proxies`: needs nginx and Caddy, which `npm test` does not. */
export default defineConfig({
  test: {
    include: ["test/proxies/**/*.proof.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    maxWorkers: 1,
  },
});

import { defineConfig } from "vitest/config";

/** For `npm run proof`, whose parts take as long as they are told to. */
export default defineConfig({
  test: {
    include: ["proof/*.proof.ts"],
    testTimeout: 0,
    hookTimeout: 60_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});

import { defineConfig } from "vitest/config";

/** `npm run test:container`: builds the image of this project, which takes minutes, and lets it live. */
export default defineConfig({
  test: {
    include: ["test/image/**/*.proof.ts"],
    globalSetup: ["test/given/build.ts"],
    testTimeout: 180_000,
    hookTimeout: 1_800_000,
    allowOnly: false,
    maxWorkers: 1,
  },
});

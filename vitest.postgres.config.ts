import { defineConfig } from "vitest/config";
import { everyTest } from "./vitest.config.ts";

/** Tests of SQLite itself: its file, its disk, its versions before there was PostgreSQL. */
const OF_SQLITE = ["test/store/sqlite/**"];

/** `npm run test:postgres`: the ports, the API and what stands on them, with databases of PostgreSQL. */
export default defineConfig({
  test: {
    ...everyTest,
    globalSetup: [...everyTest.globalSetup, "test/given/postgres-cluster.ts"],
    include: [
      "test/{store,api,ingress,reconcile,principals,feedback,secrets,tasks,triggers}/**/*.test.ts",
      "test/**/*.postgres.ts",
    ],
    exclude: OF_SQLITE,
    env: { SERVERS: "shared" },
  },
});

import { defineConfig } from "vitest/config";
import { onPostgres } from "./vitest.config.ts";

/** Tests of SQLite itself: its file, its disk, its versions before there was PostgreSQL. */
const OF_SQLITE = ["test/store/sqlite/**"];

/** `npm run test:postgres`: the ports, the API and what stands on them, and journeys, with databases of PostgreSQL. */
export default defineConfig({
  test: onPostgres(
    [
      "test/{store,api,ingress,reconcile,principals,feedback,secrets,runs/triggers,journey,outbound-webhooks}/**/*.{test,system}.ts",
      "test/**/*.postgres.ts",
    ],
    OF_SQLITE,
  ),
});

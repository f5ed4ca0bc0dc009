"use strict";
// `npm run test:postgres`: tests of the store, the API, the ingress and definitions with databases of PostgreSQL. Tests of SQLite
// itself are skipped. What follows `npm run test:postgres --` goes to vitest.
const path = require("path");
const { root, run, setUp } = require("./setup.cjs");
const { installTestTools, installTools, POSTGRES_TOOLS } = require("./test-tools.cjs");

setUp();
installTestTools();
installTools(POSTGRES_TOOLS);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--config", "vitest.postgres.config.ts"].concat(process.argv.slice(2)),
);

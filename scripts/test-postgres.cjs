"use strict";
// `npm run test:postgres`: tests of the store, the API, the ingress, definitions and journeys with databases of PostgreSQL. Tests of
// SQLite itself are skipped. What follows `npm run test:postgres --` goes to vitest.
const { setUp } = require("./setup.cjs");
const { runTests } = require("./run-tests.cjs");
const { installPostgres, installTestTools, installTools, POSTGRES_TOOLS } = require("./test-tools.cjs");

setUp();
installTestTools();
installPostgres();
installTools(POSTGRES_TOOLS);
runTests(["--config", "vitest.postgres.config.ts"]);

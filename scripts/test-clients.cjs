"use strict";
// `npm run test:clients`: what the suites of the public API's clients call, against a server.
const { setUp } = require("./setup.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
runTests(["--config=vitest.proofs.config.ts", "--project=system", "test/clients"]);

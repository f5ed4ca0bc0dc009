"use strict";
// `npm run test:stories`: the tests that tell whole stories or wait for a clock, which need minutes. What follows
// `npm run test:stories --` goes to vitest.
const { setUp } = require("./setup.cjs");
const { installTestTools } = require("./test-tools.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
installTestTools();
runTests(["--config", "vitest.proofs.config.ts", "--project", "stories"]);

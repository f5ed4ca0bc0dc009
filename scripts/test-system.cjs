"use strict";
// `npm run test:system`: the tests that need more than Node, git and npm, or more than a few seconds: those of `*.system.ts` files,
// the stories, and the most important tests of the store with PostgreSQL. What follows `npm run test:system --` goes to vitest.
const { setUp } = require("./setup.cjs");
const { installPostgres, installTestTools } = require("./test-tools.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
installTestTools();
installPostgres();
runTests(
  ["--config=vitest.proofs.config.ts"].concat(
    ["system", "postgres", "stories"].map((project) => "--project=" + project),
  ),
);

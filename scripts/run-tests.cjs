"use strict";
// What `npm test`, `npm run test:postgres` and `npm run test:stories` share: they run tests, fail when one was skipped, and end
// with the slowest files and the tests that failed.
const path = require("path");
const { root, run } = require("./setup.cjs");

const REPORTERS = ["default", path.join(root, "scripts", "test-summary.mjs")];

/** Runs vitest with these reporters. What follows the command goes to vitest. */
function runTests(args) {
  run(
    path.join(root, "node_modules", ".bin", "vitest"),
    ["run"].concat(
      args || [],
      REPORTERS.map((name) => "--reporter=" + name),
      process.argv.slice(2),
    ),
  );
}

module.exports = { runTests };

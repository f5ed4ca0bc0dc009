"use strict";
// What `npm test`, `npm run test:postgres` and `npm run test:stories` share: they run tests, fail when one was skipped, and name the
// slowest files.
const path = require("path");
const { root, run } = require("./setup.cjs");

const REPORTERS = ["default"].concat(
  ["slowest-files.mjs", "skipped-tests.mjs"].map((name) => path.join(root, "scripts", name)),
);

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

"use strict";
// What `npm test` and `npm run test:stories` share: they run tests, fail when one was skipped, and name the slowest files.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { root, run, say, fail } = require("./setup.cjs");

/** Runs vitest with a report; a skipped test fails, because what the tests need has been installed. What follows the command goes to vitest. */
function runTests(args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-report-"));
  const report = path.join(folder, "report.json");
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const reporters = ["default", path.join(root, "scripts", "slowest-files.mjs"), "json"];
  run(
    path.join(root, "node_modules", ".bin", "vitest"),
    ["run"].concat(
      args || [],
      reporters.map((name) => "--reporter=" + name),
      ["--outputFile.json=" + report],
      process.argv.slice(2),
    ),
  );
  const { numPendingTests, numTodoTests, numTotalTests } = JSON.parse(fs.readFileSync(report, "utf8"));
  if (numPendingTests + numTodoTests > 0)
    fail(numPendingTests + numTodoTests + " tests were skipped, but every test must run.");
  say("All " + numTotalTests + " tests passed.");
}

module.exports = { runTests };

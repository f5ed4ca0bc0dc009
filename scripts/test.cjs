"use strict";
// `npm test`: set up, then lint, types and every test. A test that is skipped fails the whole, because what a test
// needs and a package manager can install is installed here. What follows `npm test --` goes to vitest.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { root, setUp, run, say, fail } = require("./setup.cjs");
const { installTestTools } = require("./test-tools.cjs");

const bin = (name) => path.join(root, "node_modules", ".bin", name);

setUp();
installTestTools();
say("Lint ...");
run(bin("biome"), ["check", "--error-on-warnings", "."]);
say("Types ...");
run(bin("tsc"), ["--noEmit"]);
run(bin("tsc"), ["--noEmit", "-p", "dashboard"]);
say("Tests ...");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-report-"));
const report = path.join(folder, "report.json");
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
run(
  bin("vitest"),
  ["run", "--reporter=default", "--reporter=json", "--outputFile=" + report].concat(process.argv.slice(2)),
);
const { numPendingTests, numTodoTests, numTotalTests } = JSON.parse(fs.readFileSync(report, "utf8"));
if (numPendingTests + numTodoTests > 0)
  fail(numPendingTests + numTodoTests + " tests were skipped: every test has to run.");
say("All " + numTotalTests + " tests passed.");

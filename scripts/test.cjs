"use strict";
// `npm test`: set up, then lint, types and every test, some of them a second time with PostgreSQL. A test that is skipped
// fails the whole, because what a test needs and a package manager can install is installed here. What follows `npm test --` goes to vitest.
const { spawn } = require("child_process");
const path = require("path");
const { root, setUp, say } = require("./setup.cjs");
const { installPostgres, installTestTools } = require("./test-tools.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
installTestTools();
installPostgres();
say("Lint, words and types ...");
Promise.all([
  check(installed("biome"), ["check", "--error-on-warnings", "."]),
  check(process.execPath, [path.join(root, "scripts", "check-words.mjs")]),
  check(installed("tsc"), ["--noEmit"]),
  check(installed("tsc"), ["--noEmit", "-p", "dashboard"]),
]).then((found) => {
  if (found.some((code) => code !== 0)) process.exit(1);
  say("Tests ...");
  runTests();
});

/** Each has one thread most of the time, so they run side by side, and all of them report. */
function check(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

function installed(name) {
  return path.join(root, "node_modules", ".bin", name);
}

"use strict";
// `npm test`: set up, then lint, types, and every test that needs nothing but Node, git and npm, side by side. A test that is
// skipped fails the whole. What follows `npm test --` goes to vitest.
const { spawn } = require("child_process");
const path = require("path");
const { root, setUp, say } = require("./setup.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
say("Tests, lint, words and types ...");
const checks = [
  check("Lint", installed("biome"), ["check", "--error-on-warnings", "."]),
  check("Words", process.execPath, [path.join(root, "scripts", "check-words.mjs")]),
  check("Types", installed("tsc"), ["--noEmit"]),
  check("Types of the dashboard", installed("tsc"), ["--noEmit", "-p", "dashboard"]),
];
// What they have found is read at the end of the log, where the failed tests are.
runTests().then(() => Promise.all(checks.map((found) => found.then(report))));

/** @returns what was found, with what it was printed */
function check(title, program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  return new Promise((resolve, reject) =>
    child.on("error", reject).on("close", (code) => resolve({ title, printed, hasFailed: code !== 0 })),
  );
}

function report({ title, printed, hasFailed }) {
  if (!hasFailed) return;
  process.exitCode = 1;
  console.error("\n" + title + ":\n" + printed);
}

function installed(name) {
  return path.join(root, "node_modules", ".bin", name);
}

"use strict";
// What the commands that run tests share: they fail when a test was skipped, and end with the slowest files and the tests that
// failed. Continuous integration names a file in TESTS_AGAIN: then files whose tests failed are run once more, alone, and the
// names and reasons of those that pass are added to that file.
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { root, say } = require("./setup.cjs");

const REPORTERS = ["default", path.join(root, "scripts", "test-summary.mjs")];

/** Runs vitest with these options, and what follows the command. This process then ends as vitest does. */
async function runTests(options, env) {
  process.exitCode = (await endOfTests(options || [], env)) || process.exitCode;
}

async function endOfTests(options, env) {
  const given = process.argv.slice(2);
  const list = process.env.TESTS_AGAIN;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-failed-"));
  try {
    const code = await vitest(options.concat(given), Object.assign({ FAILED_TESTS: folder }, env));
    const failed = list && code !== 0 ? failedFiles(folder) : [];
    if (failed.length === 0) return code;
    const files = failed.map(({ file }) => file);
    say("Once more, alone: " + files.join(", "));
    const again = await vitest(
      options.concat(
        given.filter((word) => word.startsWith("-")),
        "--maxWorkers=1",
        files,
      ),
      env,
    );
    if (again === 0) fs.appendFileSync(list, failed.map(({ text }) => text + "\n").join(""));
    return again;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What test-summary.mjs has written down; none where something else failed too, such as a statement that scans a table. */
function failedFiles(folder) {
  const written = path.join(folder, "files.json");
  if (!fs.existsSync(written) || fs.readdirSync(folder).length > 1) return [];
  return JSON.parse(fs.readFileSync(written, "utf8"));
}

function vitest(args, env) {
  const program = path.join(root, "node_modules", ".bin", "vitest");
  const reporters = REPORTERS.map((name) => "--reporter=" + name);
  const child = spawn(program, ["run"].concat(reporters, args), {
    cwd: root,
    stdio: "inherit",
    env: Object.assign({}, process.env, env),
  });
  return new Promise((resolve, reject) =>
    child.on("error", reject).on("close", (code) => resolve(code === null ? 1 : code)),
  );
}

module.exports = { runTests };

"use strict";
// `npm run test:binary`: builds the binary, and lets it live through the journeys in place of `node dist/main.js`.
const path = require("path");
const { root, setUp, run } = require("./setup.cjs");
const { runTests } = require("./run-tests.cjs");

setUp();
run(process.execPath, [path.join(root, "scripts", "build-binary.mjs")]);
runTests(["--config=vitest.proofs.config.ts", "--project=binary"], {
  MILLRACE_BINARY: path.join(root, "dist", "millrace"),
});

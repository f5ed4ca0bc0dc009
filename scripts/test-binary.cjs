"use strict";
// `npm run test:binary`: builds the binary, and lets it live through the journeys in place of `node dist/main.js`.
const path = require("path");
const { root, setUp, run, runProofs } = require("./setup.cjs");

setUp();
run(process.execPath, [path.join(root, "scripts", "build-binary.mjs")]);
runProofs("binary", {
  env: Object.assign({}, process.env, { MILLRACE_BINARY: path.join(root, "dist", "millrace") }),
});

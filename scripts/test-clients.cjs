"use strict";
// `npm run test:clients`: what the suites of the public API's clients call, against a server.
const path = require("path");
const { root, setUp, run } = require("./setup.cjs");

setUp();
run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/clients"].concat(process.argv.slice(2)));

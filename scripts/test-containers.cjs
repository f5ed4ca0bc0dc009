"use strict";
// `npm run test:containers`: agents in containers of a real podman. What is missing is installed, then the tests run.
const path = require("path");
const { root, setUp, run } = require("./setup.cjs");
const { installTools, CONTAINER_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(CONTAINER_TOOLS);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--config", "vitest.containers.config.ts"].concat(process.argv.slice(2)),
);

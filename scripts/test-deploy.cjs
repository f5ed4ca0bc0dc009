"use strict";
// `npm run test:deploy`: what deploy/ has, against Debian's nginx, Caddy and promtool.
const path = require("path");
const { root, setUp, run } = require("./setup.cjs");
const { installTools, DEPLOY_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(DEPLOY_TOOLS);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--config", "vitest.deploy.config.ts"].concat(process.argv.slice(2)),
);

"use strict";
// `npm run test:proxies`: a server behind Debian's nginx and Caddy, with the configurations of deploy/.
const path = require("path");
const { root, setUp, run } = require("./setup.cjs");
const { installTools, PROXY_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(PROXY_TOOLS);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--config", "vitest.proxies.config.ts"].concat(process.argv.slice(2)),
);

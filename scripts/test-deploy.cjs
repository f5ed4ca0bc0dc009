"use strict";
// `npm run test:deploy`: what deploy/ has, against Debian's nginx, Caddy and promtool.
const { setUp, runProofs } = require("./setup.cjs");
const { installTools, DEPLOY_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(DEPLOY_TOOLS);
runProofs("deploy");

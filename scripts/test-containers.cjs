"use strict";
// `npm run test:containers`: agents in containers of a real podman. What is missing is installed, then the tests run.
const { setUp, runProofs } = require("./setup.cjs");
const { installTools, CONTAINER_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(CONTAINER_TOOLS);
runProofs("containers");

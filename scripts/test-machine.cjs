"use strict";
// `npm run test:machine`: boots Debian in a virtual machine, with systemd and the shipped unit, and attacks the binary there.
const path = require("path");
const { root, setUp, run, runProofs } = require("./setup.cjs");
const { installTools, MACHINE_TOOLS } = require("./test-tools.cjs");

setUp();
installTools(MACHINE_TOOLS);
run(process.execPath, [path.join(root, "scripts", "build-binary.mjs")]);
runProofs("machine");

"use strict";
// `npm run test:slow`: what only a clock can prove, and takes its time.
const { setUp, runProofs } = require("./setup.cjs");
const { installTestTools } = require("./test-tools.cjs");

setUp();
installTestTools();
runProofs("slow");

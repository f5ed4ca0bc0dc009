"use strict";
// `npm run test:container`: builds the image of this project and lets it live, with docker or, where there is none, with
// Debian's podman. What is missing is installed.
const { spawnSync } = require("child_process");
const { setUp, runProofs, say } = require("./setup.cjs");
const { installTools, IMAGE_TOOLS } = require("./test-tools.cjs");

setUp();
if (spawnSync("docker", ["info"], { stdio: "ignore" }).status !== 0) {
  say("Docker is not available: using podman instead.");
  installTools(IMAGE_TOOLS);
}
runProofs("image");

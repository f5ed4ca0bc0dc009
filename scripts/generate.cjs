"use strict";
// `npm run generate`. Handlers take their types from what it writes, so that a new operation type-checks only afterwards:
// the description comes from sources that are emitted unchecked, aside, and the build that follows checks them.
const fs = require("fs");
const path = require("path");
const { install, root, run } = require("./setup.cjs");

install();
const aside = path.join(root, ".dist-generate");
process.on("exit", () => fs.rmSync(aside, { recursive: true, force: true }));
run(process.execPath, [path.join(root, "scripts", "emit.mjs"), aside]);
run(process.execPath, [path.join(root, "scripts", "generate.mjs"), aside]);

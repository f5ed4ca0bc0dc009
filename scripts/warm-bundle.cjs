"use strict";
// The last step of `npm run build`: runs the command line once on what is bundled, and keeps what V8 has made of it.
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const folder = process.argv[2];
const { load, keep } = require(path.join(folder, "load.cjs"));

process.argv = [process.execPath, "millrace", "validate", path.join(root, "examples", "quickstart")];
process.on("exit", () => keep(fs.readdirSync(folder).filter(isChunk)));
load("main.cjs");

function isChunk(name) {
  return name.endsWith(".cjs") && name !== "load.cjs";
}

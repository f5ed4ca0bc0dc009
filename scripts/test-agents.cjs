"use strict";
// `npm run test:agents`: installs the programs of the presets into a folder of their own, proves each preset with them
// and a scripted model on loopback, and writes what was seen into docs/agents.md.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { setUp, run, runProofs, say } = require("./setup.cjs");

/** The versions that the table speaks of. */
const PACKAGES = [
  "@anthropic-ai/claude-code@2.1.197",
  "@openai/codex@0.171.0",
  "@google/gemini-cli@0.61.0",
  "opencode-ai@1.18.33",
];

setUp();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-agents-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
fs.writeFileSync(path.join(folder, "package.json"), "{}");
say("Installing " + PACKAGES.join(", ") + " into " + folder + " ...");
run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder].concat(PACKAGES));
runProofs("agents", {
  env: Object.assign({}, process.env, { AGENT_PROGRAMS: path.join(folder, "node_modules", ".bin") }),
});

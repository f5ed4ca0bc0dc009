"use strict";
// `npm run test:agents`: installs the programs of the presets into a folder of their own, proves each preset with them
// and a scripted model on loopback, and writes what was seen into docs/agents.md.
const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { setUp, run, runProofs, say } = require("./setup.cjs");

const PACKAGES = ["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "opencode-ai"];

setUp();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-agents-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
fs.writeFileSync(path.join(folder, "package.json"), "{}");
say("Installing " + PACKAGES.join(", ") + " into " + folder + " ...");
// Of a range, unlike of a tag, npm takes the newest version whose `engines` allow this Node.
run(
  "npm",
  ["install", "--no-audit", "--no-fund", "--prefix", folder].concat(PACKAGES.map((name) => name + "@*")),
);
say("Testing with Node " + process.versions.node + ": " + PACKAGES.map(versionOf).join(", "));
runProofs("agents", {
  env: Object.assign({}, process.env, { AGENT_PROGRAMS: path.join(folder, "node_modules", ".bin") }),
});

/** The version of a program that was installed, and why it is not the newest one. */
function versionOf(name) {
  const manifest = path.join(folder, "node_modules", name, "package.json");
  const installed = JSON.parse(fs.readFileSync(manifest, "utf8")).version;
  const asked = spawnSync("npm", ["view", name, "--json"], { encoding: "utf8" });
  if (asked.status !== 0) return name + " " + installed;
  const { version: newest, engines = {} } = JSON.parse(asked.stdout);
  if (newest === installed) return name + " " + installed + " (newest)";
  return name + " " + installed + " (newest: " + newest + ", for Node " + (engines.node || "any") + ")";
}

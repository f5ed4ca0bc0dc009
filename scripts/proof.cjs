"use strict";
// `npm run proof -- [--minutes N] [--seed N] [--only PART] [--servers N] [--workers N] [--json FILE]`: does harm to a server under load for so long, and prints what
// has become of everything that was accepted. Exit code 0: nothing lost, doubled or stuck.
var childProcess = require("child_process");
var fs = require("fs");
var os = require("os");
var path = require("path");
var parseArgs = require("util").parseArgs;

function usage() {
  console.error(
    "Usage: npm run proof -- [--minutes N] [--seed N] [--only PART] [--servers N] [--workers N] [--json FILE]",
  );
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        minutes: { type: "string" },
        seed: { type: "string" },
        only: { type: "string" },
        json: { type: "string" },
        servers: { type: "string" },
        workers: { type: "string" },
      },
    }).values;
  } catch (error) {
    console.error(error.message);
    return usage();
  }
}

var options = readOptions();
var minutes = Number(options.minutes || 10);
var seed = Number(options.seed || Math.floor(Math.random() * 1e6));
// Only the part "servers" has so many of each.
var nodes = [options.servers, options.workers].filter(Boolean);
if (
  !nodes.every(function (count) {
    return Number(count) >= 1 && Number.isInteger(Number(count));
  })
)
  usage();
if (!(minutes > 0) || !Number.isInteger(seed)) usage();
require("./setup.cjs").setUp();
var tools = require("./test-tools.cjs");
tools.installTools(tools.NAMESPACE_TOOLS);

// All that is made goes below one folder, and with it.
var scratch = fs.mkdtempSync(path.join(os.tmpdir(), "millrace-proof-"));
// Some servers are other users, who have to find their way to what is theirs.
fs.chmodSync(scratch, 0o711);
var env = Object.assign({}, process.env, {
  TMPDIR: scratch,
  PROOF_MINUTES: String(minutes),
  PROOF_SEED: String(seed),
  PROOF_ONLY: options.only || (nodes.length > 0 ? "servers" : ""),
  PROOF_SERVERS: options.servers || "",
  PROOF_WORKERS: options.workers || "",
  PROOF_JSON: options.json ? path.resolve(options.json) : "",
});
var root = path.join(__dirname, "..");
var vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
console.log("Running the proof for " + minutes + " minutes with seed " + seed + " …");
var args = [vitest, "run", "--config", "vitest.proofs.config.ts", "--project", "harm"];
args.push("--reporter=dot", "--disable-console-intercept");
var child = childProcess.spawn(process.execPath, args, { cwd: root, env: env, stdio: "inherit" });
// Ctrl-C reaches the child too, which then undoes what it has done.
process.on("SIGINT", function () {});
child.on("exit", function (code) {
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  process.exitCode = code === null ? 1 : code;
});

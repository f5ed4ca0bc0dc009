"use strict";
// What `npm start` and `npm test` do first on any machine: check Node and git, install when the lock file says so,
// check that the native addon loads, build when a source is newer than the build. Plain CommonJS without
// dependencies, in syntax that an old Node can still parse, so that the message about its age is what the user sees.

const { spawnSync } = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { replaceFiles } = require("./replace-files.cjs");

const root = path.join(__dirname, "..");
const OLDEST_NODE = [20, 19];

function setUp() {
  requireNode();
  requireProgram(
    "git",
    ["--version"],
    "git is needed to read definitions. Install it: https://git-scm.com/downloads",
  );
  installIfStale();
  requireAddon();
  readableByAll(buildIfStale);
  readableByAll(buildDashboardIfStale);
}

function requireNode() {
  const version = process.versions.node.split(".").map(Number);
  const tooOld =
    version[0] < OLDEST_NODE[0] || (version[0] === OLDEST_NODE[0] && version[1] < OLDEST_NODE[1]);
  if (tooOld) {
    fail(
      "millrace needs Node " +
        OLDEST_NODE.join(".") +
        " or later; this is Node " +
        process.versions.node +
        ".",
      "Install a current Node (https://nodejs.org) and run the command again.",
    );
  }
}

function requireProgram(command, args, remedy) {
  if (spawnSync(command, args, { stdio: "ignore" }).status !== 0) fail(command + " is missing.", remedy);
}

/** Installs when node_modules is missing, or was made from another lock file or for another Node ABI. */
function installIfStale() {
  const stamp = path.join(root, "node_modules", ".millrace-setup");
  const wanted = fingerprint([path.join(root, "package-lock.json")]) + " abi " + process.versions.modules;
  if (read(stamp) === wanted) return;
  say("Installing dependencies (about a minute; the SQLite addon may have to compile) ...");
  run("npm", ["ci", "--no-audit", "--no-fund"], { env: npmEnvironment() });
  fs.writeFileSync(stamp, wanted);
}

/** Where Node's own headers are installed, node-gyp uses them instead of downloading a copy. */
function npmEnvironment() {
  const prefix = path.dirname(path.dirname(process.execPath));
  const headers = path.join(prefix, "include", "node", "node_version.h");
  return fs.existsSync(headers)
    ? Object.assign({}, process.env, { npm_config_nodedir: prefix })
    : process.env;
}

function requireAddon() {
  const loads = () =>
    spawnSync(process.execPath, ["-e", "new (require('better-sqlite3'))(':memory:').close()"], {
      cwd: root,
      encoding: "utf8",
    });
  if (loads().status === 0) return;
  say("The SQLite addon does not load here; rebuilding it ...");
  run("npm", ["rebuild", "better-sqlite3"], { env: npmEnvironment() });
  const again = loads();
  if (again.status !== 0) {
    fail(
      "better-sqlite3 does not load:\n" + again.stderr,
      "It needs a C++ compiler and Python to build (Debian: apt install build-essential python3).",
    );
  }
}

/** What is built is read by whoever runs it, a server with a user of its own too, also where this user's new files are private. */
function readableByAll(build) {
  const umask = process.umask(0o022);
  build();
  process.umask(umask);
}

function buildIfStale() {
  const stamp = path.join(root, "dist", ".built");
  const wanted = fingerprint(sources());
  if (read(stamp) === wanted) return;
  say("Building ...");
  // Aside, then file by file into its place: what runs on the build before goes on, tests among it.
  const aside = path.join(root, ".dist-" + process.pid);
  // A build that fails ends this process.
  process.on("exit", () => fs.rmSync(aside, { recursive: true, force: true }));
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  run(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", aside]);
  run(process.execPath, [path.join(root, "scripts", "bundle.mjs"), aside]);
  fs.chmodSync(path.join(aside, "main.js"), 0o755);
  fs.writeFileSync(path.join(aside, ".built"), wanted);
  replaceFiles(aside, path.join(root, "dist"), isOfAnother);
}

/** The dashboard is built by itself, and stays when nothing of it has changed; the binary is built of both. */
function isOfAnother(name) {
  return ["dashboard", ".dashboard-built", "binary", "millrace", "millrace.sha256"].includes(name);
}

function buildDashboardIfStale() {
  const stamp = path.join(root, "dist", ".dashboard-built");
  const wanted = fingerprint(dashboardSources());
  const page = path.join(root, "dist", "dashboard", "index.html");
  if (read(stamp) === wanted && fs.existsSync(page)) return;
  say("Building the dashboard ...");
  run(process.execPath, [path.join(root, "scripts", "build-dashboard.mjs")]);
  fs.writeFileSync(stamp, wanted);
}

function dashboardSources() {
  const configs = ["package.json", "package-lock.json"];
  for (const script of ["build-dashboard.mjs", "licences.mjs"]) configs.push(path.join("scripts", script));
  return configs
    .map((name) => path.join(root, name))
    .concat(filesBelow(path.join(root, "dashboard")), filesBelow(path.join(root, "src", "client")));
}

function sources() {
  const configs = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  for (const script of ["bundle.mjs", "load-chunk.cjs", "warm-bundle.cjs", "licences.mjs"])
    configs.push(path.join("scripts", script));
  return configs.map((name) => path.join(root, name)).concat(filesBelow(path.join(root, "src")));
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .reduce((found, entry) => {
      const full = path.join(folder, entry.name);
      return found.concat(entry.isDirectory() ? filesBelow(full) : [full]);
    }, []);
}

function fingerprint(files) {
  const hash = crypto.createHash("sha256");
  for (const file of files) hash.update(path.relative(root, file)).update("\0").update(fs.readFileSync(file));
  return hash.digest("hex");
}

/** Runs the proofs of one kind; what follows the command goes to vitest. */
function runProofs(kind, options) {
  const config = path.join(root, "vitest.proofs.config.ts");
  run(
    path.join(root, "node_modules", ".bin", "vitest"),
    ["run", "--config", config, "--project", kind].concat(process.argv.slice(2)),
    options,
  );
}

function run(command, args, options) {
  const done = spawnSync(command, args, Object.assign({ cwd: root, stdio: "inherit" }, options));
  if (done.error) fail(command + " could not be started: " + done.error.message);
  if (done.status !== 0) process.exit(done.status || 1);
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

function say(text) {
  console.error("\u2022 " + text);
}

function fail(problem, remedy) {
  console.error("\n" + problem + (remedy ? "\n" + remedy : "") + "\n");
  process.exit(1);
}

module.exports = { root, setUp, run, runProofs, say, fail };

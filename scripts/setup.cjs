"use strict";
// What every command of package.json does first, on any machine: check Node and git, install the packages of the lock file,
// check that the native addon loads, build when a source is newer than the build. Plain CommonJS without dependencies, in
// syntax that an old Node can still parse, so that the message about its age is what the user sees.

const { spawnSync } = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const packages = require("./packages.cjs");
const { replaceFiles } = require("./replace-files.cjs");
const { ensureAddon } = require("./sqlite-addon.cjs");

const root = path.join(__dirname, "..");
/** The reasons and the date are in docs/decisions/035-node-versions.md. */
const OLDEST_NODE = [20, 19];
const LAST_DAY_OF_NODE_20 = "2027-04-30";
/** What a build makes of the sources and the schemas (scripts/generated.mjs); none of it is in git. */
const GENERATED = ["schemas/openapi.json", "schemas/v1alpha1.bundle.json", "docs/reference/api.md"].map(
  path.normalize,
);
const GENERATED_TYPES = ["src/client/api-types.ts", "src/api/http/query-defaults.ts"].map(path.normalize);
const DASHBOARD_STAMP = path.join(root, "dist", ".dashboard-built");

/** Everything: all packages, the server with its types checked, and the dashboard. */
function setUp() {
  readableByAll(() => {
    install();
    buildServer(true);
    if (!isDashboardBuilt()) buildDashboard();
  });
  letAgentsReadTheExamples();
}

/** What serving needs, and nothing else: a part of the packages, and the server as its sources are, unchecked. */
function setUpToServe() {
  requirePrograms();
  readableByAll(() => {
    installToServe();
    buildServer(false);
  });
  letAgentsReadTheExamples();
}

function installToServe() {
  packages.removeStale();
  const serving = packages.servingPackages();
  if (!packages.areInstalled(serving)) {
    if (process.versions.node.startsWith("20."))
      say(
        "millrace supports Node 20 until " +
          LAST_DAY_OF_NODE_20 +
          ". Node 24 is recommended, and starts faster.",
      );
    step("Installing the packages for the server (about 15 seconds)", () => packages.installOnly(serving));
  }
  requireAddon();
}

/** The dashboard with the packages that it is built with, while a server may run. */
function setUpDashboard() {
  const wanted = packages.dashboardPackages();
  readableByAll(() => {
    if (!packages.areInstalled(wanted)) packages.addPackages(wanted);
    buildDashboard();
  });
}

/** Everything but the build. */
function install() {
  requirePrograms();
  packages.removeStale();
  if (!packages.areInstalled()) step("Installing all packages (about 30 seconds)", packages.installAll);
  requireAddon();
}

/** Agents of a root server are other users, who run the programs of the examples whatever umask the clone was made with. */
function letAgentsReadTheExamples() {
  const programs = ["factory", "workers"].flatMap((example) => {
    const folder = path.join(root, "examples", example, "programs");
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  });
  for (const program of [path.join(root, "examples", "quickstart", "agent.mjs")].concat(programs)) {
    try {
      fs.chmodSync(program, fs.statSync(program).mode | 0o444);
    } catch (error) {
      say("Agents that run as other users may not be able to read " + program + ": " + error.message);
    }
  }
}

function requirePrograms() {
  const version = process.versions.node.split(".").map(Number);
  const tooOld =
    version[0] < OLDEST_NODE[0] || (version[0] === OLDEST_NODE[0] && version[1] < OLDEST_NODE[1]);
  if (tooOld) {
    fail(
      "millrace requires Node " +
        OLDEST_NODE.join(".") +
        " or later; this is Node " +
        process.versions.node +
        ".",
      "Install a current version of Node (https://nodejs.org) and run the command again.",
    );
  }
  if (spawnSync("git", ["--version"], { stdio: "ignore" }).status !== 0)
    fail("git is missing.", "git is required to read definitions. Install it: https://git-scm.com/downloads");
}

function requireAddon() {
  try {
    ensureAddon((compile) =>
      step(
        "Compiling the SQLite addon for Node " + process.versions.node + " (1 to 4 minutes, once)",
        compile,
      ),
    );
  } catch (error) {
    fail(error.message);
  }
}

/** What is installed and built is read by any user that runs it, also where the new files of this user are private. */
function readableByAll(work) {
  const umask = process.umask(0o022);
  work();
  process.umask(umask);
}

/** @param isChecked whether types are checked and declarations written, which takes most of the time */
function buildServer(isChecked) {
  const wanted = fingerprint(sources());
  const isBuilt = read(path.join(root, "dist", ".built")) === wanted && areGenerated(isChecked);
  if (isBuilt && (!isChecked || read(path.join(root, "dist", ".checked")) === wanted)) return;
  // Aside, then file by file into its place: what runs on the build before goes on, tests among it.
  const aside = path.join(root, ".dist-" + process.pid);
  // A build that fails ends this process.
  process.on("exit", () => fs.rmSync(aside, { recursive: true, force: true }));
  step("Building the server (about 5 seconds)", () => {
    run(process.execPath, [path.join(root, "scripts", "emit.mjs"), aside]);
    // Handlers take their types from what it writes, so types are checked afterwards.
    run(
      process.execPath,
      [path.join(root, "scripts", "generate.mjs"), aside].concat(isChecked ? "--types" : []),
    );
    run(process.execPath, [path.join(root, "scripts", "bundle.mjs"), aside]);
    fs.chmodSync(path.join(aside, "main.js"), 0o755);
    fs.writeFileSync(path.join(aside, ".built"), wanted);
  });
  if (isChecked)
    step("Checking types (about 25 seconds)", () => {
      const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
      run(process.execPath, [tsc, "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", aside]);
      fs.writeFileSync(path.join(aside, ".checked"), wanted);
    });
  replaceFiles(aside, path.join(root, "dist"), isOfAnother);
}

/** Whether what a build generates is there: git removes it when it goes to a commit that still contained it, and back. */
function areGenerated(withTypes) {
  return GENERATED.concat(withTypes ? GENERATED_TYPES : []).every((name) =>
    fs.existsSync(path.join(root, name)),
  );
}

/** The dashboard is built by itself, and stays when nothing of it has changed; the binary is built of both. */
function isOfAnother(name) {
  // The binary has its sum next to it, and copies that are named for their version.
  return /^(?:\.?dashboard(?:-.*)?|binary|millrace(?:[.-].*)?)$/.test(name);
}

function isDashboardBuilt() {
  const page = path.join(root, "dist", "dashboard", "index.html");
  return read(DASHBOARD_STAMP) === fingerprint(dashboardSources()) && fs.existsSync(page);
}

function buildDashboard() {
  const wanted = fingerprint(dashboardSources());
  step("Building the dashboard (about 10 seconds)", () =>
    run(process.execPath, [path.join(root, "scripts", "build-dashboard.mjs")]),
  );
  fs.writeFileSync(DASHBOARD_STAMP, wanted);
}

function dashboardSources() {
  const configs = ["package.json", "package-lock.json"];
  for (const script of ["build-dashboard.mjs", "licences.mjs"]) configs.push(path.join("scripts", script));
  return configs
    .map((name) => path.join(root, name))
    .concat(
      packages.filesBelow(path.join(root, "dashboard")),
      packages.filesBelow(path.join(root, "src", "client")).filter(isSource),
    );
}

function sources() {
  const configs = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  for (const script of [
    "emit.mjs",
    "bundle.mjs",
    "generate.mjs",
    "generated.mjs",
    "static-requires.mjs",
    "load-chunk.cjs",
    "warm-bundle.cjs",
    "licences.mjs",
  ])
    configs.push(path.join("scripts", script));
  const folders = ["src", "schemas", path.join("scripts", "reference")];
  return configs
    .map((name) => path.join(root, name))
    .concat(...folders.map((folder) => packages.filesBelow(path.join(root, folder)).filter(isSource)));
}

function isSource(file) {
  return !GENERATED.concat(GENERATED_TYPES).includes(path.relative(root, file));
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
  if (done.error) fail(command + " cannot be started: " + done.error.message);
  if (done.status !== 0) process.exit(done.status || 1);
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

/** Says what is done, and then how long it took. */
function step(title, work) {
  const start = Date.now();
  process.stderr.write("\u2022 " + title + " ... ");
  try {
    work();
  } catch (error) {
    fail(error.message);
  }
  process.stderr.write(Math.round((Date.now() - start) / 1000) + " s\n");
}

function say(text) {
  console.error("\u2022 " + text);
}

function fail(problem, remedy) {
  console.error("\n" + problem + (remedy ? "\n" + remedy : "") + "\n");
  process.exit(1);
}

module.exports = {
  root,
  setUp,
  setUpToServe,
  setUpDashboard,
  isDashboardBuilt,
  install,
  run,
  runProofs,
  say,
  fail,
};

"use strict";
// Makes sure that the SQLite driver of this Node loads: src/store/sqlite/better-sqlite.ts chooses the same one. Version 13 of better-sqlite3
// has its addon prebuilt for Node 22 and later. For Node 20, version 12 is compiled once for each version of the two, and kept in the
// cache of the user, so that a second clone does not compile. `npm ci` runs this file (package.json, "prepare"), and so does the build.

const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const root = path.join(__dirname, "..");
const FIRST_NODE_OF_13 = 22;
const PREBUILT = /^(?:linux|darwin|win32)-(?:x64|arm64)$/;
const FILE = "better_sqlite3.node";
/** Bits of a mode that let someone else write. */
const WRITABLE_BY_OTHERS = 0o022;

/** The package that has the driver for this Node. */
function driverPackage() {
  const isOf13 = parseInt(process.versions.node, 10) >= FIRST_NODE_OF_13;
  return isOf13 && PREBUILT.test(process.platform + "-" + process.arch)
    ? "better-sqlite3-13"
    : "better-sqlite3";
}

/** The addon of this Node as a file, for the binary to contain. */
function addonFile() {
  const folder = path.join(root, "node_modules", driverPackage());
  if (driverPackage() === "better-sqlite3") return path.join(folder, "build", "Release", FILE);
  return require(path.join(folder, "lib", "binding.js")).getPrebuildPath();
}

/** @param report is given a function that compiles, and has to call it: compiling takes a minute or more */
function ensureAddon(report) {
  if (loads().status === 0) return;
  if (driverPackage() !== "better-sqlite3")
    throw new Error(
      "Cannot load " + driverPackage() + ":\n" + loads().stderr + "Run `npm ci` to install it.",
    );
  const cached = cachedAddon();
  if (cached !== undefined && takeFrom(cached)) return;
  report(compile);
  const again = loads();
  if (again.status !== 0) throw new Error("Cannot load better-sqlite3:\n" + again.stderr);
  if (cached !== undefined) storeIn(cached);
}

function loads() {
  const script = "new (require('" + driverPackage() + "'))(':memory:').close()";
  return spawnSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
}

/** Runs the install script of the package, which npm was told not to run. */
function compile() {
  const folder = path.join(root, "node_modules", "better-sqlite3");
  const done = spawnSync("npm", ["run", "install"], { cwd: folder, encoding: "utf8", env: npmEnvironment() });
  if (done.status === 0) return;
  process.stderr.write((done.stdout || "") + (done.stderr || ""));
  throw new Error(
    "Compiling the SQLite addon failed.\nIt requires a C++ compiler and Python (Debian: apt install build-essential python3).",
  );
}

/** Where Node's own headers are installed, node-gyp uses them instead of downloading a copy. */
function npmEnvironment() {
  const prefix = path.dirname(path.dirname(process.execPath));
  const headers = path.join(prefix, "include", "node", "node_version.h");
  return fs.existsSync(headers)
    ? Object.assign({}, process.env, { npm_config_nodedir: prefix })
    : process.env;
}

/** The place of the compiled addon in the cache of this user, or undefined when there is no such cache. */
function cachedAddon() {
  if (typeof process.getuid !== "function") return undefined;
  const named = process.env.XDG_CACHE_HOME;
  const cache = named && path.isAbsolute(named) ? named : path.join(os.homedir(), ".cache");
  const version = JSON.parse(
    fs.readFileSync(path.join(root, "node_modules", "better-sqlite3", "package.json"), "utf8"),
  ).version;
  const name = [version, "abi" + process.versions.modules, process.platform, process.arch].join("-");
  return path.join(cache, "millrace", "better-sqlite3-" + name, FILE);
}

/** Takes the addon from the cache. It is code: only a file that this user alone can have written is taken. */
function takeFrom(cached) {
  let file;
  try {
    if (!areOurs(cached)) return false;
    file = fs.openSync(cached, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    if (!fs.fstatSync(file).isFile() || !isOurs(fs.fstatSync(file))) return false;
    place(fs.readFileSync(file));
  } catch {
    return false;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
  return loads().status === 0;
}

function place(content) {
  const release = path.join(root, "node_modules", "better-sqlite3", "build", "Release");
  fs.mkdirSync(release, { recursive: true });
  const draft = path.join(release, FILE + "." + process.pid);
  fs.writeFileSync(draft, content, { mode: 0o644 });
  fs.renameSync(draft, path.join(release, FILE));
}

function storeIn(cached) {
  const draft = cached + "." + process.pid;
  try {
    if (!makeOurFolder(path.dirname(cached))) return;
    const content = fs.readFileSync(
      path.join(root, "node_modules", "better-sqlite3", "build", "Release", FILE),
    );
    fs.writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    fs.renameSync(draft, cached);
  } catch {
    removeDraft(draft);
  }
}

/** Without a cache the next clone compiles again, which is no reason to fail. */
function removeDraft(draft) {
  try {
    fs.rmSync(draft, { force: true });
  } catch {
    // The folder itself cannot be used.
  }
}

/** Makes a folder level by level, below folders that are ours alone: root would otherwise make some in the home of another user. */
function makeOurFolder(folder) {
  if (fs.existsSync(folder)) return areOurs(path.join(folder, FILE));
  const above = path.dirname(folder);
  if (fs.existsSync(above) ? !isOurs(fs.statSync(above)) : !makeOurFolder(above)) return false;
  fs.mkdirSync(folder, { mode: 0o700 });
  return true;
}

/** Whether the folders that lead to the file, from the cache on, are this user's, and no one else may write there. */
function areOurs(cached) {
  const folder = path.dirname(cached);
  const [own, cache] = [path.dirname(folder), path.dirname(path.dirname(folder))];
  // The user may have made a link of the cache itself.
  return isOurs(fs.statSync(cache)) && [own, folder].every((each) => isOurs(fs.lstatSync(each)));
}

function isOurs(entry) {
  return !entry.isSymbolicLink() && entry.uid === process.getuid() && (entry.mode & WRITABLE_BY_OTHERS) === 0;
}

module.exports = { driverPackage, addonFile, ensureAddon };

if (require.main === module) {
  try {
    ensureAddon((work) => {
      console.error("Compiling the SQLite addon (a minute or more; later clones use the cached addon) ...");
      work();
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

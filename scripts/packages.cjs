"use strict";
// Installs the packages that a step needs, in the versions of the lock file. What serves a factory needs a fourth of all packages,
// so the first `npm start` installs that part first. Plain syntax: see setup.cjs.

const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { driverPackage } = require("./sqlite-addon.cjs");

const root = path.join(__dirname, "..");
const INSTALLED = path.join("node_modules", ".package-lock.json");
/** Nothing of a package runs when it is installed: the one addon is compiled by sqlite-addon.cjs. */
const CI = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** What builds the server: scripts/emit.mjs and scripts/bundle.mjs. */
const BUILD_TOOLS = ["rolldown"];

/** The packages that serving needs, with what builds it, as names that package.json has. */
function servingPackages() {
  const own = readJson("package.json");
  return Object.keys(Object.assign({}, own.dependencies, own.optionalDependencies)).concat(BUILD_TOOLS);
}

/** The packages that the dashboard is built with: those that its files import. */
function dashboardPackages() {
  const files = filesBelow(path.join(root, "dashboard")).concat(
    filesBelow(path.join(root, "src", "client")),
    path.join(root, "scripts", "build-dashboard.mjs"),
  );
  const own = readJson("package.json");
  const declared = Object.assign({}, own.dependencies, own.devDependencies);
  const names = new Set();
  for (const file of files) {
    if (!/\.(?:mjs|tsx?)$/.test(file)) continue;
    const text = fs.readFileSync(file, "utf8");
    for (const match of text.matchAll(/\b(?:from|import)\s*\(?\s*"((?:@[^/"]+\/)?[^./"][^/"]*)/g))
      if (Object.hasOwn(declared, match[1])) names.add(match[1]);
  }
  return Array.from(names).sort();
}

/** Whether packages are installed in the versions of the lock file, whatever has installed them; without names, all packages. */
function areInstalled(names) {
  const lock = readJson("package-lock.json");
  const present = fs.existsSync(path.join(root, INSTALLED)) ? readJson(INSTALLED).packages : {};
  const wanted = names ? closureOf(lock, names) : Object.keys(lock.packages).filter((key) => key !== "");
  // Others of the optional packages are for other platforms. The driver is one that another Node may not have installed.
  const isOptional = (key) => lock.packages[key].optional && key !== "node_modules/" + driverPackage();
  return wanted.every((key) => (present[key] ? isSame(lock.packages[key], present[key]) : isOptional(key)));
}

function isSame(one, other) {
  return (
    one.version === other.version &&
    (one.integrity === other.integrity || one.integrity === undefined || other.integrity === undefined)
  );
}

/** Installs every package, in the place of what was installed before. */
function installAll() {
  npm(CI, root);
}

/** Installs some packages alone, in the place of what was installed before. */
function installOnly(names) {
  aside(names, (folder) => {
    fs.rmSync(path.join(root, "node_modules"), { recursive: true, force: true });
    fs.renameSync(path.join(folder, "node_modules"), path.join(root, "node_modules"));
  });
}

/** Adds packages to those that are installed: what is installed in its version stays where it is, for it may be in use. */
function addPackages(names) {
  aside(names, (folder) => {
    const before = readJson(INSTALLED);
    const added = JSON.parse(fs.readFileSync(path.join(folder, INSTALLED), "utf8"));
    for (const key of Object.keys(added.packages).sort()) {
      const place = path.join(root, key);
      if (before.packages[key] && isSame(before.packages[key], added.packages[key])) continue;
      if (!fs.existsSync(path.join(folder, key))) continue; // It came with the package that it is in.
      fs.rmSync(place, { recursive: true, force: true });
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.renameSync(path.join(folder, key), place);
    }
    const all = Object.assign({}, before, { packages: Object.assign({}, before.packages, added.packages) });
    fs.writeFileSync(path.join(folder, "installed.json"), JSON.stringify(all, null, 2));
    fs.renameSync(path.join(folder, "installed.json"), path.join(root, INSTALLED));
  });
}

/** Has npm install packages in a folder of their own, from the part of the lock file that has them. */
function aside(names, use) {
  const folder = path.join(root, ".install-" + process.pid);
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  fs.mkdirSync(folder, { recursive: true });
  const { manifest, lock } = partOf(readJson("package.json"), readJson("package-lock.json"), names);
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  fs.writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lock));
  const settings = path.join(root, ".npmrc");
  if (fs.existsSync(settings)) fs.copyFileSync(settings, path.join(folder, ".npmrc"));
  npm(CI, folder);
  use(folder);
  remove();
}

/** What an installation has left that was interrupted. */
function removeStale() {
  for (const name of fs.readdirSync(root)) {
    const match = /^\.install-(\d+)$/.exec(name);
    if (match && !isRunning(Number(match[1])))
      fs.rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** A package.json and a lock file with some of the packages, and what those need, in the same versions. */
function partOf(own, lock, names) {
  const pick = (from) =>
    Object.keys(from || {})
      .filter((name) => names.includes(name))
      .reduce((picked, name) => Object.assign(picked, { [name]: from[name] }), {});
  const manifest = {
    name: own.name,
    version: own.version,
    dependencies: Object.assign(pick(own.dependencies), pick(own.devDependencies)),
    optionalDependencies: pick(own.optionalDependencies),
    overrides: own.overrides,
  };
  const packages = { "": manifest };
  for (const key of closureOf(lock, names).sort()) {
    packages[key] = Object.assign({}, lock.packages[key]);
    delete packages[key].dev;
  }
  return {
    manifest,
    lock: { name: own.name, lockfileVersion: lock.lockfileVersion, requires: true, packages },
  };
}

/** The keys of packages in a lock file, and of all that they need, found as Node does: in the folders around them. */
function closureOf(lock, names) {
  const found = new Set();
  const open = names.map((name) => ["", name]);
  while (open.length > 0) {
    const [from, name] = open.pop();
    const key = resolve(lock, from, name);
    if (key === undefined || found.has(key)) continue;
    found.add(key);
    const entry = lock.packages[key];
    const meta = entry.peerDependenciesMeta || {};
    const optional = Object.keys(meta).filter((peer) => meta[peer].optional);
    const peers = Object.keys(entry.peerDependencies || {}).filter((peer) => !optional.includes(peer));
    for (const needed of Object.keys(
      Object.assign({}, entry.dependencies, entry.optionalDependencies),
    ).concat(peers))
      open.push([key, needed]);
  }
  return Array.from(found);
}

function resolve(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const key = (folder === "" ? "" : folder + "/") + "node_modules/" + name;
    if (lock.packages[key]) return key;
    if (folder === "") return undefined;
  }
}

/** Runs npm without its words, unless it fails. */
function npm(args, folder) {
  const done = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (done.status === 0) return;
  process.stderr.write((done.stdout || "") + (done.stderr || ""));
  throw new Error("npm " + args[0] + " failed" + (done.error ? ": " + done.error.message : "."));
}

function readJson(name) {
  return JSON.parse(fs.readFileSync(path.join(root, name), "utf8"));
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

module.exports = {
  removeStale,
  servingPackages,
  dashboardPackages,
  areInstalled,
  installAll,
  installOnly,
  addPackages,
  partOf,
  filesBelow,
};

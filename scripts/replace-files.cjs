"use strict";
// Puts a new build in the place of the one before, while programs of that one may run.
const fs = require("fs");
const path = require("path");

/** Says, once it is there, that a build is whole. */
const STAMP = ".built";
/** Chunks that the build does not have any more, and since when, in milliseconds. */
const SUPERSEDED = ".superseded.json";
/** A program may load a chunk of its build long after it has started. */
const CHUNKS_STAY_MS = 60 * 60 * 1000;

/**
 * Moves every file of a folder into another, one by one: each is there all the time, as it was or as it will be. Then what the
 * new one does not have is removed, chunks an hour after the first build without them.
 * @param stays whether something directly in the folder belongs to another build
 */
function replaceFiles(from, to, stays) {
  const fresh = filesBelow(from);
  // What others lead to comes first: a program that starts in the meantime finds all of one build.
  fresh.sort((a, b) => depthOf(b) - depthOf(a));
  for (const name of fresh.filter(isChunk)) move(name);
  for (const name of fresh) if (!isChunk(name) && name !== STAMP) move(name);
  removeOthers(to, fresh, stays);
  if (fresh.includes(STAMP)) move(STAMP);
  fs.rmSync(from, { recursive: true, force: true });

  function move(name) {
    fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    fs.renameSync(path.join(from, name), path.join(to, name));
  }
}

function removeOthers(folder, fresh, stays) {
  const list = path.join(folder, SUPERSEDED);
  const before = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, "utf8")) : {};
  const superseded = {};
  const isFresh = new Set(fresh.concat(STAMP, SUPERSEDED));
  for (const name of filesBelow(folder)) {
    if (isFresh.has(name) || stays(name.split(path.sep)[0])) continue;
    const since = before[name] || Date.now();
    if (isChunk(name) && Date.now() - since < CHUNKS_STAY_MS) superseded[name] = since;
    else fs.rmSync(path.join(folder, name));
  }
  fs.writeFileSync(list, JSON.stringify(superseded));
}

/** Its name has a hash of what it holds, so that it is never another. */
function isChunk(name) {
  return /-[\w-]{8}\.cjs(\.cache)?$/.test(name);
}

function depthOf(name) {
  return name.split(path.sep).length;
}

function filesBelow(folder, below) {
  const here = below || "";
  return fs.readdirSync(path.join(folder, here), { withFileTypes: true }).reduce(function (found, entry) {
    const name = path.join(here, entry.name);
    return found.concat(entry.isDirectory() ? filesBelow(folder, name) : [name]);
  }, []);
}

module.exports = { replaceFiles };

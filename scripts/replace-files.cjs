"use strict";
// Puts a new build in the place of the one before, while programs of that one may run.
const fs = require("fs");
const path = require("path");

/** A program may load a chunk of its build long after it has started. */
const CHUNKS_STAY_MS = 60 * 60 * 1000;

/**
 * Moves every file of a folder into another, one by one: each is there all the time, as it was or as it will be. Then what the
 * new one does not have is removed, but for what `stays` says, and for what is so young that a running program may ask for it.
 * @param stays whether something directly in the folder belongs to another build
 */
function replaceFiles(from, to, stays) {
  const fresh = filesBelow(from);
  // What others lead to comes first: a program that starts meanwhile finds all of one build.
  const rank = (name) => (isChunk(name) ? -Infinity : -name.split(path.sep).length);
  fresh.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  for (const name of fresh) {
    fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    fs.renameSync(path.join(from, name), path.join(to, name));
  }
  fs.rmSync(from, { recursive: true, force: true });
  const isFresh = new Set(fresh);
  for (const name of filesBelow(to)) {
    if (isFresh.has(name) || stays(name.split(path.sep)[0]) || isYoungChunk(path.join(to, name))) continue;
    fs.rmSync(path.join(to, name));
  }
}

function isYoungChunk(file) {
  return isChunk(file) && Date.now() - fs.statSync(file).mtimeMs < CHUNKS_STAY_MS;
}

/** Its name has a hash of what it holds, so that it is never another. */
function isChunk(name) {
  return /-[\w-]{8}\.cjs(\.cache)?$/.test(name);
}

function filesBelow(folder, below) {
  const here = below || "";
  return fs.readdirSync(path.join(folder, here), { withFileTypes: true }).reduce(function (found, entry) {
    const name = path.join(here, entry.name);
    return found.concat(entry.isDirectory() ? filesBelow(folder, name) : [name]);
  }, []);
}

module.exports = { replaceFiles };

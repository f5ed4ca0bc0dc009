"use strict";
// `npm run build` copies this beside the chunks of the bundle, as load.cjs. It loads them with what V8 has made of their text
// before, which Node does by itself from version 22 on. Where nothing is kept that this Node has made of this text, a chunk is
// compiled as always.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

/**
 * Which Node this is. V8 takes what another one has made when the versions of V8 are the same, and may then crash: Node 20.20.1
 * and 20.20.2 cannot read each other's (https://github.com/nodejs/node/issues/62781).
 */
const MAKER = JSON.stringify([process.versions, process.platform, process.arch, process.config]);
const CHECKSUM_BYTES = 4;

const scripts = new Map();
const modules = new Map();

/** What a chunk exports, by its file name. */
function load(name) {
  let module = modules.get(name);
  if (module === undefined) {
    module = { exports: {} };
    modules.set(name, module);
    const file = path.join(__dirname, name);
    try {
      const run = compile(name, file).runInThisContext();
      run.call(module.exports, module.exports, requireFrom, module, file, __dirname);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
  }
  return module.exports;
}

function requireFrom(id) {
  return id.startsWith("./") ? load(id.slice("./".length)) : require(id);
}

function compile(name, file) {
  const bytes = fs.readFileSync(file);
  const text = bytes.toString().replace(/^#!.*/, "");
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    cachedData: keptOf(file, bytes),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(name, script);
  return script;
}

/** V8 itself looks at no more than the length of the text, and not at whether what is kept is whole. */
function keptOf(file, text) {
  try {
    const bytes = fs.readFileSync(`${file}.cache`);
    const kept = bytes.subarray(0, -CHECKSUM_BYTES);
    return bytes.readUInt32LE(kept.length) === checksum(text, kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function checksum(text, kept) {
  return crc32(kept, crc32(text, crc32(MAKER)));
}

/** For the build: keeps what V8 has made by now of the chunks that are loaded, and of others as much as it makes unasked. */
function keep(names) {
  for (const name of names) {
    const file = path.join(__dirname, name);
    const script = scripts.get(name) ?? compile(name, file);
    const kept = script.createCachedData();
    const sum = Buffer.alloc(CHECKSUM_BYTES);
    sum.writeUInt32LE(checksum(fs.readFileSync(file), kept));
    fs.writeFileSync(`${file}.cache`, Buffer.concat([kept, sum]));
  }
}

module.exports = { load, keep };

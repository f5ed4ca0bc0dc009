"use strict";
// `npm run build` copies this beside the chunks of the bundle, as load.cjs. It loads them with what V8 has made of their text
// before, which Node does by itself from version 22 on. V8 does not take what another version of it has made; then, and where
// nothing is kept, a chunk is compiled as always.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const scripts = new Map();
const modules = new Map();

/** What a chunk exports, by its file name. */
function load(name) {
  let module = modules.get(name);
  if (module === undefined) {
    module = { exports: {} };
    modules.set(name, module);
    const file = path.join(__dirname, name);
    const run = compile(name, file).runInThisContext();
    run.call(module.exports, module.exports, requireFrom, module, file, __dirname);
  }
  return module.exports;
}

function requireFrom(id) {
  return id.startsWith("./") ? load(id.slice("./".length)) : require(id);
}

function compile(name, file) {
  const text = fs.readFileSync(file, "utf8").replace(/^#!.*/, "");
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    cachedData: keptOf(file),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(name, script);
  return script;
}

/** V8 looks at no more than the length of the text: what was made of an older one is not offered to it. */
function keptOf(file) {
  const kept = `${file}.cache`;
  try {
    return fs.statSync(kept).mtimeMs < fs.statSync(file).mtimeMs ? undefined : fs.readFileSync(kept);
  } catch {
    return undefined;
  }
}

/** For the build: keeps what V8 has made by now of the chunks that are loaded, and of others as much as it makes unasked. */
function keep(names) {
  for (const name of names) {
    const file = path.join(__dirname, name);
    const script = scripts.get(name) ?? compile(name, file);
    fs.writeFileSync(`${file}.cache`, script.createCachedData());
  }
}

module.exports = { load, keep };

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";

const LOADER = fileURLToPath(new URL("../../scripts/load-chunk.cjs", import.meta.url));
const ONE = "exports.n = 1;";
/** As long as the other: V8 cannot tell the two apart, so what it has made of that one shows whether it was taken. */
const TWO = "exports.n = 2;";
const NODE = JSON.stringify([process.versions, process.platform, process.arch, process.config]);

/** A chunk beside its loader, and the number that it exports. */
function chunkOf(text: string) {
  const folder = temporaryFolder();
  const [chunk, cache] = [join(folder, "a.cjs"), join(folder, "a.cjs.cache")];
  copyFileSync(LOADER, join(folder, "load.cjs"));
  writeFileSync(chunk, text);
  const node = (script: string) =>
    execFileSync(process.execPath, ["-e", `const loader = require("./load.cjs"); ${script}`], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  return {
    chunk,
    cache,
    load: () => node('console.log(loader.load("a.cjs").n)'),
    keep: () => node('loader.load("a.cjs"); loader.keep(["a.cjs"])'),
    node,
  };
}

/** What V8 has made of ONE, kept as if it were of TWO. */
function mistaken(maker = NODE) {
  const one = chunkOf(ONE);
  one.keep();
  const made = readFileSync(one.cache).subarray(0, -4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(made, crc32(TWO, crc32(maker))));
  const two = chunkOf(TWO);
  writeFileSync(two.cache, Buffer.concat([made, sum]));
  return two;
}

test("what this Node has made of a chunk is taken", () => {
  expect(mistaken().load()).toBe("1");
});

test.each(["", NODE.replace(process.versions.node, "20.0.0")])(
  "what another Node has made is not taken, which V8 might crash on: %#",
  (maker) => {
    expect(mistaken(maker).load()).toBe("2");
  },
);

test("what was damaged is not taken, wherever that was", () => {
  const { cache, load } = mistaken();
  const whole = readFileSync(cache);
  for (const at of [0, 20, whole.length >> 1, whole.length - 5, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    writeFileSync(cache, damaged);
    expect(load()).toBe("2");
  }
  for (const length of [0, 3, 4, whole.length - 1]) {
    writeFileSync(cache, whole.subarray(0, length));
    expect(load()).toBe("2");
  }
});

test("what was made of an older text is not taken", () => {
  const { chunk, keep, load } = chunkOf(ONE);
  keep();
  writeFileSync(chunk, TWO);
  expect(load()).toBe("2");
});

test("a chunk that could not be loaded is loaded when it is asked for again", () => {
  const { node } = chunkOf("if (!globalThis.isReady) throw new Error('not yet'); exports.n = 3;");
  const twice =
    'try { loader.load("a.cjs") } catch {} globalThis.isReady = true; console.log(loader.load("a.cjs").n)';
  expect(node(twice)).toBe("3");
});

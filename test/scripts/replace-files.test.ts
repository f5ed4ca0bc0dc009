import { spawn } from "node:child_process";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith, temporaryFolder } from "../given/folder.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/replace-files.cjs", import.meta.url));
const NAMES = ["main.js", "store/thread.js", "bundle/main.cjs"];

/** Replaces a build by another, so many times, and says how often. */
const REPLACE = `
  const { cpSync } = require("node:fs");
  const { replaceFiles } = require(process.argv[1]);
  const [, , builds, aside, place] = process.argv;
  for (let n = 0; n < 200; n += 1) {
    cpSync(builds, aside, { recursive: true });
    replaceFiles(aside, place, (name) => name === "dashboard");
  }`;

function replaceOften(build: string, place: string): Promise<number | null> {
  const aside = join(temporaryFolder(), "aside");
  const child = spawn(process.execPath, ["-e", REPLACE, SCRIPT, build, aside, place]);
  return new Promise((resolve) => child.on("close", resolve));
}

test("a build that is replaced is never missing a file that both have", async () => {
  const files = Object.fromEntries(NAMES.map((name) => [name, "the text of it"]));
  const [build, place] = [
    folderWith(files),
    folderWith({ ...files, "gone.js": "", "dashboard/index.html": "page" }),
  ];
  let isOver = false;
  const replaced = replaceOften(build, place).finally(() => {
    isOver = true;
  });
  let reads = 0;
  while (!isOver) {
    for (const name of NAMES) expect(readFileSync(join(place, name), "utf8")).toBe("the text of it");
    reads += 1;
    if (reads % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await replaced).toBe(0);
  expect(reads).toBeGreaterThan(100);
  expect(readdirSync(place, { recursive: true })).not.toContain("gone.js");
  expect(readFileSync(join(place, "dashboard/index.html"), "utf8")).toBe("page");
});

test("a chunk of the build before stays for the programs of that one, for an hour", async () => {
  const [young, old] = ["bundle/api-Ab3_dE-8.cjs", "bundle/cli-Zz3_dE-8.cjs"];
  const place = folderWith({ [young]: "", [old]: "", "bundle/main.cjs": "old" });
  const twoHoursAgo = Date.now() / 1_000 - 7_200;
  utimesSync(join(place, old), twoHoursAgo, twoHoursAgo);
  await replaceOften(folderWith({ "bundle/main.cjs": "new" }), place);
  expect(readdirSync(join(place, "bundle")).sort()).toEqual(["api-Ab3_dE-8.cjs", "main.cjs"]);
});

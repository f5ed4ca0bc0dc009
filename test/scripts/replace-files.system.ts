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

test("a chunk that no build has any more stays for the programs of the one before, for an hour", async () => {
  const [left, gone] = ["bundle/api-Ab3_dE-8.cjs", "bundle/cli-Zz3_dE-8.cjs"];
  const twoHoursAgo = Date.now() - 7_200_000;
  const superseded = JSON.stringify({ [gone]: twoHoursAgo });
  const place = folderWith({
    [left]: "",
    [gone]: "",
    "bundle/main.cjs": "old",
    ".superseded.json": superseded,
  });
  // When it was built says nothing of who runs by it.
  utimesSync(join(place, left), twoHoursAgo / 1_000, twoHoursAgo / 1_000);
  expect(await replaceOften(folderWith({ "bundle/main.cjs": "new", ".built": "stamp" }), place)).toBe(0);
  expect(readdirSync(join(place, "bundle")).sort()).toEqual(["api-Ab3_dE-8.cjs", "main.cjs"]);
  expect(readFileSync(join(place, ".built"), "utf8")).toBe("stamp");
});

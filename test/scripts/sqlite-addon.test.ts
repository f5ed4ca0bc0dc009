import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { temporaryFolder } from "../given/folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(import.meta.url);
const {
  driverPackage,
  addonFile,
}: { driverPackage(): string; addonFile(): string } = require("../../scripts/sqlite-addon.cjs");
const BUILT = "node_modules/better-sqlite3/build/Release/better_sqlite3.node";

test("the build prepares the driver that the store loads", () => {
  expect(require(driverPackage())).toBe(BetterSqlite);
  expect(existsSync(addonFile())).toBe(true);
});

/** A clone whose driver is not compiled yet, and a cache that has the compiled one. */
function clone() {
  const folder = temporaryFolder();
  for (const name of ["scripts/sqlite-addon.cjs", "node_modules/better-sqlite3"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isNoSource });
  for (const name of ["bindings", "file-uri-to-path", "better-sqlite3-13"])
    if (existsSync(join(ROOT, "node_modules", name)))
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  const { version } = require("better-sqlite3/package.json") as { version: string };
  const name = `better-sqlite3-${version}-abi${process.versions.modules}-${process.platform}-${process.arch}`;
  const cached = join(folder, "cache/millrace", name, "better_sqlite3.node");
  mkdirSync(dirname(cached), { recursive: true, mode: 0o700 });
  if (existsSync(join(folder, BUILT))) renameSync(join(folder, BUILT), cached);
  /** What is printed; in the place of compiling, the built addon is put there. */
  const prepare = () => {
    const compile = `() => { console.log("compiled"); require("fs").cpSync(${JSON.stringify(join(ROOT, BUILT))}, ${JSON.stringify(BUILT)}); }`;
    const script = `require("./scripts/sqlite-addon.cjs").ensureAddon(${compile})`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: join(folder, "cache") },
    });
    return stdout + stderr;
  };
  return { folder, cached, built: join(folder, BUILT), prepare };
}

function isNoSource(path: string): boolean {
  return !/better-sqlite3\/(?:deps|src)$/.test(path);
}

// The other driver comes with its addon.
if (driverPackage() === "better-sqlite3") {
  describe("the compiled addon", () => {
    test("is taken from the cache of this user, and then used without it", () => {
      const { built, cached, prepare } = clone();
      expect(prepare()).toBe("");
      expect(existsSync(built)).toBe(true);
      rmSync(cached);
      expect(prepare()).toBe("");
    });

    test("is stored for the next clone once it was compiled, where no one else can read or write", () => {
      const { cached, prepare } = clone();
      rmSync(join(dirname(dirname(cached))), { recursive: true });
      expect(prepare()).toBe("compiled\n");
      expect(statSync(cached).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(cached)).mode & 0o777).toBe(0o700);
    });

    test.each<[string, (cached: string) => void]>([
      ["that others may write", (cached) => chmodSync(cached, 0o666)],
      ["in a folder that others may write to", (cached) => chmodSync(dirname(cached), 0o777)],
      ["in a cache that others may write to", (cached) => chmodSync(join(cached, "../../.."), 0o777)],
      [
        "that is a link",
        (cached) => {
          renameSync(cached, `${cached}.moved`);
          symlinkSync(`${cached}.moved`, cached);
        },
      ],
      ["that is damaged", (cached) => cpSync(join(ROOT, "package.json"), cached)],
    ])("is not taken from a file %s", (_, spoil) => {
      const { cached, prepare } = clone();
      spoil(cached);
      expect(prepare()).toBe("compiled\n");
    });
  });
}

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyEtc } from "../../../src/executor/sandbox/system-folders.ts";
import { temporaryFolder } from "../../given/folder.ts";

const LIVE = ["/etc/hosts"];

describe("the copy of /etc", () => {
  test("has what programs read there, and nothing of what shall be shown as it is", () => {
    const folder = temporaryFolder();
    copyEtc(folder, LIVE);
    expect(readFileSync(join(folder, "etc/passwd"))).toEqual(readFileSync("/etc/passwd"));
    expect(readFileSync(join(folder, "etc/hosts"), "utf8")).toBe("");
    expect(readdirSync(join(folder, "etc"))).not.toContain("shadow");
    expect(statSync(join(folder, "etc")).mode & 0o777).toBe(0o755);
  });

  test("stays as it is at the next start", () => {
    const folder = temporaryFolder();
    copyEtc(folder, LIVE);
    writeFileSync(join(folder, "etc/passwd"), "the copy of before");
    copyEtc(folder, LIVE);
    expect(readFileSync(join(folder, "etc/passwd"), "utf8")).toBe("the copy of before");
  });

  test("is made again when it was made of something else, or was not finished", () => {
    const folder = temporaryFolder();
    copyEtc(folder, LIVE);
    for (const spoil of [(file: string) => writeFileSync(file, "something else"), rmSync]) {
      writeFileSync(join(folder, "etc/passwd"), "an older one");
      spoil(join(folder, "made-of"));
      copyEtc(folder, LIVE);
      expect(readFileSync(join(folder, "etc/passwd"))).toEqual(readFileSync("/etc/passwd"));
    }
  });
});

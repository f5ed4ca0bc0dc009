import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDataFolder } from "../../src/store/data-folder.ts";
import { temporaryFolder } from "../given/folder.ts";
import { actAsNobody } from "../given/processes.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

async function opened(path: string): Promise<{ warnings: readonly string[] }> {
  const { release, warnings } = await openDataFolder(path);
  onTestFinished(release);
  return { warnings };
}

/** Where nobody, which the tests act as, locks the paths of data folders. */
const LOCKS_OF_NOBODY = "/tmp/millrace-65534-locks";

describe("the data folder", () => {
  test("is made for this user alone, as are the folders above it that were missing", async () => {
    const above = join(temporaryFolder(), "above");
    await opened(join(above, "data"));
    expect([modeOf(above), modeOf(join(above, "data"))]).toEqual([0o700, 0o700]);
  });

  test("retains its mode when it already exists; what is put into it is private all the same", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o755);
    await opened(path);
    expect([modeOf(path), modeOf(join(path, "lock"))]).toEqual([0o755, 0o600]);
  });

  test("may belong to someone else, as long as it can be written", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o777);
    actAsNobody();
    await expect(opened(path)).resolves.toBeDefined();
  });

  test("is ignored by git as soon as it exists, and an existing .gitignore stays", async () => {
    const path = join(temporaryFolder(), "data");
    await opened(path);
    expect(readFileSync(join(path, ".gitignore"), "utf8")).toBe("*\n");
    const own = temporaryFolder();
    writeFileSync(join(own, ".gitignore"), "*.db\n");
    await opened(own);
    expect(readFileSync(join(own, ".gitignore"), "utf8")).toBe("*.db\n");
  });

  test("is locked by its path too, so that the folder that is made in its place is not another one's", async () => {
    const path = join(temporaryFolder(), "data");
    const { release } = await openDataFolder(path);
    rmSync(path, { recursive: true });
    await expect(opened(path)).rejects.toThrow(
      /Another millrace process uses the data folder .*it holds the lock/,
    );
    release();
    await expect(opened(path)).resolves.toEqual({ warnings: [] });
  });

  test("can be used, with a warning that names it, where another user has taken the place of the path's lock", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o777);
    for (const [occupy, why] of [
      [() => mkdirSync(LOCKS_OF_NOBODY), "belongs to user 0, not to 65534: remove it"],
      [() => writeFileSync(LOCKS_OF_NOBODY, ""), "EEXIST"],
      [() => symlinkSync(path, LOCKS_OF_NOBODY), "is not a folder: remove it"],
    ] as const) {
      rmSync(LOCKS_OF_NOBODY, { recursive: true, force: true });
      occupy();
      process.seteuid?.(65_534);
      const data = await openDataFolder(path).finally(() => process.seteuid?.(0));
      data.release();
      expect(data.warnings).toEqual([expect.stringContaining(why)]);
      expect(data.warnings[0]).toContain(LOCKS_OF_NOBODY);
    }
    rmSync(LOCKS_OF_NOBODY, { recursive: true, force: true });
  });

  test("that cannot be written, or is none, says so", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o755);
    writeFileSync(join(path, "file"), "");
    await expect(opened(join(path, "file"))).rejects.toThrow(/data folder .* cannot be used: EEXIST/);
    chmodSync(path, 0o555);
    actAsNobody();
    await expect(opened(path)).rejects.toThrow(
      /data folder .* cannot be used: EACCES|Cannot open the database .*lock:/,
    );
  });
});

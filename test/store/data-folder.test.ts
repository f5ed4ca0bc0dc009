import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDataFolder } from "../../src/store/data-folder.ts";
import { temporaryFolder } from "../given/folder.ts";
import { actAsNobody } from "../given/nobody.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

async function opened(path: string): Promise<void> {
  const umask = process.umask();
  const { release } = await openDataFolder(path);
  onTestFinished(() => {
    release();
    process.umask(umask);
  });
}

describe("the data folder", () => {
  test("is made for this user alone, as are the folders above it that were missing", async () => {
    const above = join(temporaryFolder(), "above");
    await opened(join(above, "data"));
    expect([modeOf(above), modeOf(join(above, "data"))]).toEqual([0o700, 0o700]);
  });

  test("keeps its mode when somebody else has made it; what is put into it is private all the same", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o755);
    await opened(path);
    expect([modeOf(path), modeOf(join(path, "lock"))]).toEqual([0o755, 0o600]);
  });

  test("may belong to somebody else, as long as it can be written", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o777);
    actAsNobody();
    await expect(opened(path)).resolves.toBeUndefined();
  });

  test("that cannot be written, or is none, says so", async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o755);
    writeFileSync(join(path, "file"), "");
    await expect(opened(join(path, "file"))).rejects.toThrow(/data folder .* cannot be used: EEXIST/);
    chmodSync(path, 0o555);
    actAsNobody();
    await expect(opened(path)).rejects.toThrow(/data folder .* cannot be used: EACCES|lock does not open/);
  });
});

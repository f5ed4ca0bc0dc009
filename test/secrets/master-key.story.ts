import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { failToStart, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const VALUE = "the-value-that-must-not-be-seen-anywhere";

describe("the master key", () => {
  async function sealed(env: Record<string, string> = {}) {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source], dataDir, env });
    await storyOf(server).setSecret("A", VALUE);
    await server.stop();
    return {
      dataDir,
      source,
      start: (more: Record<string, string>) => failToStart([source], { MILLRACE_DATA_DIR: dataDir, ...more }),
    };
  }

  test("is made on first use, for this user alone, and found again", async () => {
    const { dataDir, source } = await sealed();
    expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const server = await startServer({ sources: [source], dataDir });
    await expect(server.api("GET", "/secrets")).resolves.toMatchObject({ secrets: [{ name: "A" }] });
  });

  test("that is wrong keeps the server from starting, with a sentence", async () => {
    const { start } = await sealed({ MILLRACE_MASTER_KEY: "the-first-master-key" });
    const { code, said } = await start({ MILLRACE_MASTER_KEY: "another-master-key" });
    expect(code).toBe(1);
    expect(said).toContain("The stored secrets are sealed with a different master key.");
    expect(said).toContain("MILLRACE_MASTER_KEY_FILE");
    expect(said).not.toContain("another-master-key");
  });

  test("that is missing while something is sealed keeps the server from starting, and no new one is made", async () => {
    const { dataDir, start } = await sealed();
    rmSync(join(dataDir, "master.key"));
    const { code, said } = await start({});
    expect(code).toBe(1);
    expect(said).toContain("The master key is missing, but stored secrets are sealed with it.");
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
  });

  test("may come from a file, which has to be there and hold something", async () => {
    const { start } = await sealed();
    const empty = join(folderWith({ key: "\n" }), "key");
    expect((await start({ MILLRACE_MASTER_KEY_FILE: "/nowhere" })).said).toContain("/nowhere does not exist");
    expect((await start({ MILLRACE_MASTER_KEY_FILE: empty })).said).toContain("is empty");
  });

  test("may be replaced while nothing is sealed", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const source = folderWith(FACTORY);
    await (await startServer({ sources: [source], dataDir })).stop();
    writeFileSync(join(dataDir, "master.key"), "another-master-key");
    const server = await startServer({ sources: [source], dataDir });
    await storyOf(server).setSecret("A", VALUE);
  });
});

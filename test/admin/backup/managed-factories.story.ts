import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../given/filled-store.ts";
import { temporaryFolder, writeFiles } from "../../given/folder.ts";
import { serveManaged } from "../../given/managed.ts";
import { runGit } from "../../given/repository.ts";
import { run } from "../../given/server.ts";

async function backedUp(dataDir: string): Promise<string> {
  const file = join(temporaryFolder(), "backup.tar");
  const { code, said } = await run(["backup", file, "--data-dir", dataDir]);
  expect([code, said]).toEqual([0, ""]);
  return file;
}

async function restored(file: string): Promise<string> {
  const dataDir = join(temporaryFolder(), "restored");
  const { code, said } = await run(["restore", file, "--data-dir", dataDir]);
  expect([code, said]).toEqual([0, ""]);
  return dataDir;
}

describe("a backup of managed factories", () => {
  test("that is made while a managed factory is edited has no branch ahead of the applied revision", async () => {
    const kept = await serveManaged();
    const stop = new AbortController();
    const editing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) {
        const { uid } = await kept.create({ name: `hook-${n}` });
        await kept.call("DELETE", `/webhooks/${uid}`, { headers: { "if-match": "*" } });
      }
    })();
    const files: string[] = [];
    while (files.length < 4) files.push(await backedUp(kept.server.dataDir));
    stop.abort();
    await editing;

    const history = (await kept.git("rev-list", "main")).split("\n");
    for (const file of files) {
      const dataDir = await restored(file);
      const [factory] = rowsOf(join(dataDir, "millrace.db")).factories ?? [];
      const { uid, applied_revision } = JSON.parse(factory ?? "{}");
      const repository = join(dataDir, "factories", `${uid}.git`);
      const upToNow = history.slice(history.indexOf(applied_revision));
      expect(upToNow).toContain(runGit(repository, "rev-parse", "main"));
      expect(runGit(repository, "rev-list", "--objects", applied_revision)).toContain(applied_revision);
    }
  });

  test("leaves out what git locks, and repositories that never became whole", async () => {
    const kept = await serveManaged();
    const { source, uid } = await kept.factory();
    writeFiles(source.url ?? "", { "refs/heads/main.lock": "" });
    writeFiles(join(kept.server.dataDir, "factories"), { [`${uid}.git.new-draft/HEAD`]: "" });
    const dataDir = await restored(await backedUp(kept.server.dataDir));
    expect(readdirSync(join(dataDir, "factories"))).toEqual([`${uid}.git`]);
    expect(readdirSync(join(dataDir, "factories", `${uid}.git`, "refs", "heads"))).toEqual(["main"]);
  });

  test("brings back no settings of git, which could name programs to start", async () => {
    const kept = await serveManaged();
    const { source, uid } = await kept.factory();
    const trap = join(temporaryFolder(), "sprung");
    const settings = `
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = ${source.url}
\tpromisor = true
\tuploadpack = "touch ${trap}; git-upload-pack"
`;
    const config = readFileSync(join(source.url ?? "", "config"), "utf8");
    writeFiles(source.url ?? "", {
      config: config.replace("repositoryformatversion = 0", "repositoryformatversion = 1") + settings,
      "objects/info/alternates": "/somewhere/else/objects\n",
    });
    const repository = join(await restored(await backedUp(kept.server.dataDir)), "factories", `${uid}.git`);
    expect(readFileSync(join(repository, "config"), "utf8")).toMatch(
      /^\[core\](?:\n\t(?:bare|filemode|repositoryformatversion) = \w+)+\n$/,
    );
    expect(existsSync(join(repository, "objects/info/alternates"))).toBe(false);
    expect(runGit(repository, "rev-parse", "main")).toBe(await kept.git("rev-parse", "main"));
  });
});

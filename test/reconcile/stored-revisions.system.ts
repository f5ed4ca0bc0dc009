import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { runGit } from "../given/repository.ts";
import { type Server, startServer } from "../given/server.ts";
import { syncedFactory } from "../given/serving.ts";
import { storeOf } from "../given/store.ts";
import { storyOf } from "../given/story.ts";

interface Export {
  revision: string;
  files: { path: string; content: string; encoding: string }[];
}

const SKILL = {
  "skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview it.\n",
  "skills/review/picture.png": Buffer.from([0x89, 0x50, 0xff, 0x00]),
};
const BROKEN = { "factory.yaml": "name: [" };

const driftOf = (server: Server) => server.api<{ in_sync: boolean }>("GET", "/factories/acme/drift");
const exportOf = (server: Server, revision = "") =>
  server.api<Export>("GET", `/factories/acme/export${revision && `?revision=${revision}`}`);
const textOf = ({ files }: Export, path: string) => files.find((file) => file.path === path)?.content;

/** A server with the factory of a folder, which was applied once. */
async function folderFactory() {
  const source = folderWith({ ...FACTORY, ...SKILL });
  const dataDir = join(temporaryFolder(), "data");
  const start = async () => {
    const server = await startServer({ sources: [source], dataDir });
    return { server, story: storyOf(server) };
  };
  const begun = await start();
  const first = (await begun.story.sync()).sync.applied_revision ?? "";
  return { source, dataDir, start, first, ...begun };
}

describe("a folder", () => {
  test("is compared with and exported as what was applied, whatever the folder contains now", async () => {
    const { source, server, first } = await folderFactory();
    const before = await exportOf(server);
    expect(before.files.map(({ path }) => path)).toEqual(Object.keys({ ...FACTORY, ...SKILL }).sort());
    writeFiles(source, BROKEN);
    expect(await driftOf(server)).toMatchObject({ in_sync: true });
    rmSync(source, { recursive: true });
    expect(await exportOf(server, first)).toEqual(before);
    expect(textOf(before, "skills/review/picture.png")).toBe(
      SKILL["skills/review/picture.png"].toString("base64"),
    );
  });

  test("is rolled back to content that it no longer has, also after a restart", async () => {
    const { source, server, story, start, first } = await folderFactory();
    writeFiles(source, withFactoryLines("description: second\n"));
    const second = (await story.sync()).sync.applied_revision;
    expect(second).not.toBe(first);
    await server.stop();
    const again = await start();
    const plan = await ask(again.server, "POST", "/factories/acme/plan", { body: { revision: first } });
    expect(plan.status).toBe(200);
    await again.server.api("POST", "/factories/acme/rollback", { revision: first });
    expect((await again.story.factory()).sync).toMatchObject({
      status: "suspended",
      applied_revision: first,
    });
    expect(textOf(await exportOf(again.server), "factory.yaml")).toBe(FACTORY["factory.yaml"]);
    expect(await driftOf(again.server)).toMatchObject({ in_sync: true });
    await again.server.stop();
    const suspended = await start();
    expect((await suspended.story.sync()).sync).toMatchObject({ applied_revision: first, problems: [] });
  });

  test("whose active revision was applied by an earlier version is stored by the next start", async () => {
    const { source, dataDir, server, start } = await folderFactory();
    await server.stop();
    const { connection } = await storeOf({ dataDir });
    for (const table of ["revision_files", "applied_trees", "file_contents"])
      await connection.run(`DELETE FROM ${table}`);
    const again = await start();
    await again.story.sync();
    writeFiles(source, BROKEN);
    await again.story.sync();
    expect(await driftOf(again.server)).toMatchObject({ in_sync: true });
  });

  test("does not have content that was never applied", async () => {
    const { source, server, story } = await folderFactory();
    writeFiles(source, BROKEN);
    const { sync } = await story.sync();
    writeFiles(source, FACTORY);
    const { status, body } = await ask(
      server,
      "GET",
      `/factories/acme/export?revision=${sync.attempted_revision}`,
    );
    expect([status, body.detail]).toEqual([409, expect.stringContaining("is not stored")]);
  });
});

test("an applied commit that was removed with a forced push is rolled back to without mirror and remote", async () => {
  const { repository, first, server, story, dataDir } = await syncedFactory();
  const second = repository.push(withFactoryLines("description: second\n"));
  await story.sync();
  repository.reset(first);
  const third = repository.push(withFactoryLines("description: third\n"), { force: true });
  expect((await story.sync()).sync.applied_revision).toBe(third);
  runGit(repository.url, "gc", "--quiet", "--prune=now");
  for (const name of readdirSync(join(dataDir, "git")))
    if (name.endsWith(".git")) rmSync(join(dataDir, "git", name), { recursive: true });
  rmSync(repository.url, { recursive: true });

  expect(textOf(await exportOf(server, second), "factory.yaml")).toContain("description: second");
  await server.api("POST", "/factories/acme/rollback", { revision: second });
  expect((await story.factory()).sync).toMatchObject({ status: "suspended", applied_revision: second });
  expect(await driftOf(server)).toMatchObject({ in_sync: true });
});

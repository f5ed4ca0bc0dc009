import { describe, expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith, writeFiles } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { syncedFactory } from "../given/synced-factory.ts";

describe("a rollback", () => {
  test("reaches a commit that a forced push has taken out of the branch", async () => {
    const { repository, first, server, story } = await syncedFactory();
    const lost = repository.push({ "factory.yaml": `${FACTORY["factory.yaml"]}description: lost\n` });
    await story.sync();
    repository.reset(first);
    repository.push({ "a.txt": "3" }, { force: true });
    await story.sync();
    await server.api("POST", "/factories/acme/rollback", { revision: lost });
    expect((await story.factory()).sync).toMatchObject({ status: "suspended", applied_revision: lost });
  });

  test("of a folder is possible to what it holds now, and to nothing else", async () => {
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source] });
    const story = storyOf(server);
    const before = (await story.sync()).sync.applied_revision;
    writeFiles(source, { "factory.yaml": `${FACTORY["factory.yaml"]}description: other\n` });
    await story.sync();
    const { status, body } = await ask(server, "POST", "/factories/acme/rollback", {
      body: { revision: before },
    });
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining("is not stored: restore those files"),
    ]);
  });
});

test("a suspended factory is suspended after a restart too, and serves what it holds", async () => {
  const { repository, first, start, server } = await syncedFactory();
  await server.api("POST", "/factories/acme/suspend");
  await server.api("POST", "/factories/acme/suspend");
  await server.stop();
  const second = repository.push({ "a.txt": "2" });
  const again = await start();
  expect((await again.story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
  expect((await again.server.fetch("/readyz")).status).toBe(200);
  await again.server.api("POST", "/factories/acme/resume");
  await again.server.api("POST", "/factories/acme/resume");
  await waitFor(async () => (await again.story.factory()).sync.applied_revision === second);
});

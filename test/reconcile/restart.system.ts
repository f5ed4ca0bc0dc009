import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { syncedFactory } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const NAMES_HARNESS = String(FACTORY["factory.yaml"]).replace("type: command", "type: aider");

function stage(files = FACTORY) {
  const source = folderWith(files);
  const dataDir = join(temporaryFolder(), "data");
  return {
    source,
    start: async (args: string[] = []) => {
      const server = await startServer({ sources: [source], dataDir, args });
      const story = storyOf(server);
      const becomes = (status: string) =>
        waitFor(async () => {
          const { sync } = await story.factory();
          return sync.status === status ? sync : undefined;
        });
      return { server, story, becomes };
    },
  };
}

describe("after a restart", () => {
  test("a definition that was broken and is as it was before is synced", async () => {
    const { source, start } = stage();
    const first = await start();
    const good = await first.becomes("synced");
    writeFiles(source, { "factory.yaml": "name: [" });
    await first.becomes("failed");
    await first.server.stop();
    writeFiles(source, FACTORY);
    const second = await start();
    const { attempted_revision, applied_revision, problems } = await second.becomes("synced");
    expect([attempted_revision, applied_revision]).toEqual([good.applied_revision, good.applied_revision]);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("a folder that was away at the start is synced when it is back", async () => {
    const { source, start } = stage();
    const first = await start();
    await first.becomes("synced");
    await first.server.stop();
    renameSync(source, `${source}-away`);
    const second = await start();
    await second.becomes("failed");
    renameSync(`${source}-away`, source);
    await second.becomes("synced");
  });

  test("warnings are those of now, and nothing is written when there are no others", async () => {
    const { source, start } = stage({ ...FACTORY, "factory.yaml": NAMES_HARNESS });
    const first = await start();
    const before = await first.becomes("synced");
    expect(JSON.stringify(before.problems)).toContain('no harness \\"aider\\"');
    await first.server.stop();

    const settings = join(folderWith({ "m.yaml": "harnesses: { aider: { command: x } }\n" }), "m.yaml");
    const second = await start(["--config", settings]);
    const after = await waitFor(async () => {
      const { sync } = await second.story.factory();
      return JSON.stringify(sync.problems).includes("aider") ? undefined : sync;
    });
    expect(after).toEqual({ ...before, problems: after.problems });

    renameSync(source, `${source}-away`);
    await second.becomes("failed");
    renameSync(`${source}-away`, source);
    expect(await second.becomes("synced")).toEqual(after);
  });

  test("webhooks keep the credentials that they were applied with", async () => {
    const { source, start } = stage({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK });
    const first = await start();
    await first.story.setSecret("CI_SECRET", "the-old-value");
    await first.becomes("synced");
    await first.story.setSecret("CI_SECRET", "the-new-value");
    await first.server.stop();
    renameSync(source, `${source}-away`);
    const second = await start();
    await second.becomes("failed");
    renameSync(`${source}-away`, source);
    await second.becomes("synced");
    const { url } = await second.story.webhook("ci");
    expect((await second.story.deliver(url, "the-old-value", "1")).status).toBe(202);
    expect((await second.story.deliver(url, "the-new-value", "2")).status).toBe(401);
  });
});

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

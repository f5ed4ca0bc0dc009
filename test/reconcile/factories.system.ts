import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { repositoryWith, spyOnGit } from "../given/repository.ts";
import { failToStart, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

describe("a folder", () => {
  test("is watched: what is saved is applied", async () => {
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source] });
    const story = storyOf(server);
    await story.sync();
    const before = (await story.factory()).sync.applied_revision;
    writeFiles(source, { "automations/a.md": automationOn(["ci"]) });
    await waitFor(async () => (await story.factory()).sync.applied_revision !== before);
    const { automations } = await server.api<{ automations: { name: string }[] }>(
      "GET",
      "/factories/acme/automations",
    );
    expect(automations.map(({ name }) => name)).toEqual(["a"]);
  });

  test("that is gone is a problem, and its definition is still served until it is back", async () => {
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source] });
    const story = storyOf(server);
    const { sync } = await story.sync();
    renameSync(source, `${source}-away`);
    const failed = await story.sync();
    expect(failed.sync).toMatchObject({ status: "failed", applied_revision: sync.applied_revision });
    expect((await server.fetch("/readyz")).status).toBe(200);
    renameSync(`${source}-away`, source);
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    for (const name of ["first", "second"]) {
      const before = (await story.factory()).sync.applied_revision;
      writeFiles(source, { [`automations/${name}.md`]: automationOn(["ci"]) });
      await waitFor(async () => (await story.factory()).sync.applied_revision !== before);
    }
  });

  test("may contain the data folder and the database: what the server writes does not count as a change", async () => {
    const source = folderWith(FACTORY);
    const server = await startServer({
      sources: [source],
      dataDir: join(source, "data"),
      env: { MILLRACE_DATABASE_URL: `sqlite:${join(source, "millrace.db")}` },
    });
    const story = storyOf(server);
    const { sync } = await story.sync();
    await story.setSecret("ANY", "x");
    await sleep(1_000);
    expect((await story.factory()).sync).toMatchObject({
      status: "synced",
      applied_revision: sync.applied_revision,
      attempted_at: sync.attempted_at,
    });
  });

  test("cannot be the data folder itself", async () => {
    const source = folderWith(FACTORY);
    const { code, said } = await failToStart([source], { MILLRACE_DATA_DIR: source });
    expect(code).toBe(2);
    expect(said).toContain("--data-dir");
  });

  test("is checked every few seconds where the system allows no more watches", async () => {
    const source = folderWith(FACTORY);
    const server = await startServer({
      sources: [source],
      wrapper: [
        "unshare",
        "--user",
        "--map-root-user",
        "sh",
        "-c",
        'echo 1 > /proc/sys/user/max_inotify_watches; exec "$@"',
        "sh",
      ],
    });
    await waitFor(() => server.log().includes("fs.inotify.max_user_watches"));
    const story = storyOf(server);
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    const before = (await story.factory()).sync.applied_revision;
    writeFiles(source, { "automations/a.md": automationOn(["ci"]) });
    await waitFor(async () => (await story.factory()).sync.applied_revision !== before);
  });
});

describe("a repository", () => {
  test("that cannot be reached is a problem, while its last definition is served, across restarts too", async () => {
    const repository = repositoryWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK });
    const dataDir = join(temporaryFolder(), "data");
    const env = { MILLRACE_POLL_INTERVAL: "200ms" };
    const first = await startServer({ sources: [repository.url], dataDir, env });
    const story = storyOf(first);
    await story.setSecret("CI_SECRET", "x");
    const applied = await waitFor(async () => {
      const { sync } = await story.factory();
      return sync.status === "synced" ? sync.applied_revision : undefined;
    });
    const { uid } = await story.webhook("ci");
    renameSync(repository.url, `${repository.url}.away`);
    const failed = await waitFor(async () => {
      const { sync } = await story.factory();
      return sync.status === "failed" ? sync : undefined;
    });
    expect(failed).toMatchObject({ applied_revision: applied, attempted_revision: applied });
    expect(failed.problems).toEqual([
      expect.objectContaining({ code: "GIT_UNREACHABLE", path: "factory.yaml" }),
    ]);
    await first.stop();

    for (const sources of [[], [repository.url]]) {
      const server = await startServer({ sources, dataDir, env });
      expect((await server.fetch("/readyz")).status).toBe(200);
      expect(
        await fetch(`${server.url}/webhooks/w/${uid}`, {
          method: "POST",
          headers: { authorization: "Bearer x" },
          body: `[${sources.length}]`,
        }),
      ).toMatchObject({ status: 202 });
      if (sources.length > 0) {
        renameSync(`${repository.url}.away`, repository.url);
        await waitFor(async () => (await storyOf(server).factory()).sync.status === "synced");
        expect(
          (await storyOf(server).factory()).sync.problems.filter(({ severity }) => severity === "error"),
        ).toEqual([]);
      }
      await server.stop();
    }
  });

  test("that has not changed is asked one question, and only a changed file is read", async () => {
    const repository = repositoryWith(FACTORY);
    const spy = spyOnGit();
    const server = await startServer({ sources: [repository.url], env: { PATH: spy.path } });
    const story = storyOf(server);
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    const before = spy.calls().length;
    await story.sync();
    expect(spy.calls().slice(before)).toEqual([`ls-remote -- ${repository.url} refs/heads/main`]);

    repository.push({ "automations/a.md": automationOn(["ci"]) });
    await story.sync();
    const calls = spy
      .calls()
      .slice(before + 1)
      .map((call) => call.split(" ")[0]);
    expect(calls).toEqual(["ls-remote", "fetch", "log", "ls-tree", "cat-file"]);
  });

  test("whose commit changes nothing below the definition's folder is applied all the same", async () => {
    const files = Object.fromEntries(
      Object.entries(FACTORY).map(([path, content]) => [`deploy/${path}`, content]),
    );
    const repository = repositoryWith(files);
    const server = await startServer({ sources: [repository.url], args: ["--path", "deploy"] });
    const story = storyOf(server);
    await waitFor(async () => (await story.factory()).sync.status === "synced");
    const commit = repository.push({ "README.md": "elsewhere" });
    expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: commit });
  });

  test("is shown before it was ever applied: the factory is named after its source", async () => {
    const repository = repositoryWith({ "README.md": "nothing yet" });
    const server = await startServer({ sources: [repository.url] });
    const factory = await storyOf(server).sync();
    expect(factory).toMatchObject({
      name: "origin",
      mode: "repository",
      sync: { status: "failed", applied_revision: null },
    });
    const { uid } = factory;
    repository.push(FACTORY);
    expect(await storyOf(server).sync()).toMatchObject({ uid, name: "acme", sync: { status: "synced" } });
  });
});

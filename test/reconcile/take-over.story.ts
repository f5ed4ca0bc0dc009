import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { type Files, folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { type Factory, storyOf } from "../given/story.ts";

const TOKEN = "the-token-of-the-ci-webhook";
const SMALLEST: Files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
const FILES: Files = { ...FACTORY, ...SMALLEST };

/** Serves a source for a while on a new data folder. @returns what has to be the same afterwards */
async function servedBefore(sources: string[], args: string[] = []) {
  const dataDir = join(temporaryFolder(), "data");
  const server = await startServer({ sources, dataDir, args });
  await storyOf(server).setSecret("CI_SECRET", TOKEN);
  const factory = await synced(server);
  const { url, uid } = await storyOf(server).webhook("ci");
  await storyOf(server).accept(url, TOKEN, '"before"');
  await server.stop();
  return { dataDir, uid: factory.uid, name: factory.name, webhook: uid };
}

/** Asked of the list: until it is taken over, the factory goes by another uid. */
const synced = (server: Server) =>
  waitFor(async () => (await factoriesOf(server)).find(({ sync }) => sync.status === "synced"));

async function factoriesOf(server: Server): Promise<Factory[]> {
  return (await server.api<{ factories: Factory[] }>("GET", "/factories")).factories;
}

async function expectTheSame(server: Server, before: Awaited<ReturnType<typeof servedBefore>>) {
  const factory = await synced(server);
  expect(factory).toMatchObject({ uid: before.uid, name: before.name });
  const webhook = await storyOf(server).webhook("ci");
  expect(webhook.uid).toBe(before.webhook);
  await storyOf(server).accept(webhook.url, TOKEN, '"after"');
  expect(await storyOf(server).deliveries(webhook.uid)).toHaveLength(2);
  expect(await factoriesOf(server)).toHaveLength(1);
}

describe("a recorded factory that no source of this start serves", () => {
  test("goes on with a folder that has moved", async () => {
    const source = folderWith(FILES);
    const before = await servedBefore([source]);
    const moved = join(temporaryFolder(), "moved");
    renameSync(source, moved);
    const server = await startServer({ sources: [moved], dataDir: before.dataDir });
    await expectTheSame(server, before);
    expect((await storyOf(server).factory()).source).toEqual({ path: moved });
    await server.stop();
    expect(await factoriesOf(await startServer({ sources: [], dataDir: before.dataDir }))).toHaveLength(1);
  });

  test("goes on with another branch and another folder of its repository, and back again", async () => {
    const repository = repositoryWith(FILES);
    const nested = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`deploy/${path}`, text]));
    repository.push(nested, { branch: "live" });
    const before = await servedBefore([repository.url]);
    const moved = ["--branch", "live", "--path", "deploy"];
    const there = await startServer({ sources: [repository.url], dataDir: before.dataDir, args: moved });
    await expectTheSame(there, before);
    await there.stop();
    const back = await startServer({ sources: [repository.url], dataDir: before.dataDir });
    expect(await synced(back)).toMatchObject({ uid: before.uid });
    expect((await storyOf(back).webhook("ci")).uid).toBe(before.webhook);
  });

  test("goes on with a repository at another address, at the same commit that is active", async () => {
    const repository = repositoryWith(FILES);
    const before = await servedBefore([repository.url]);
    const mirror = join(temporaryFolder(), "mirror.git");
    cpSync(repository.url, mirror, { recursive: true });
    await expectTheSame(await startServer({ sources: [mirror], dataDir: before.dataDir }), before);
  });

  test("goes on with a source of its last name when the definition names none", async () => {
    const parents = [temporaryFolder(), temporaryFolder()] as const;
    for (const parent of parents) writeFiles(join(parent, "shop"), SMALLEST);
    const before = await servedBefore([join(parents[0], "shop")]);
    expect(before.name).toBe("shop");
    const server = await startServer({ sources: [join(parents[1], "shop")], dataDir: before.dataDir });
    await expectTheSame(server, before);
  });

  test("waits for a valid definition", async () => {
    const before = await servedBefore([folderWith(FILES)]);
    const other = folderWith({ ...FILES, "webhooks/ci.yaml": "secretNam: CI_SECRET\n" });
    const server = await startServer({ sources: [other], dataDir: before.dataDir });
    const story = storyOf(server);
    await waitFor(async () => (await story.factory()).sync.status === "failed");
    expect((await story.factory()).uid).not.toBe(before.uid);
    writeFiles(other, { "webhooks/ci.yaml": TOKEN_WEBHOOK });
    await expectTheSame(server, before);
  });

  test("does not go on with a source that has its own uids, and the reason is reported", async () => {
    const [one, other] = [folderWith(FILES), folderWith(FILES)];
    writeFiles(other, { "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other") });
    const before = await servedBefore([one]);
    const first = await startServer({ sources: [other], dataDir: before.dataDir });
    // The secret was the first factory's alone.
    await storyOf(first).setSecret("CI_SECRET", TOKEN);
    const { uid } = await synced(first);
    await first.stop();
    writeFiles(other, { "factory.yaml": String(FACTORY["factory.yaml"]) });
    const server = await startServer({ sources: [other], dataDir: before.dataDir });
    const failed = await waitFor(async () => {
      const factory = await storyOf(server).factory();
      return factory.sync.status === "failed" ? factory : undefined;
    });
    expect(failed).toMatchObject({ uid, name: "other" });
    expect(failed.sync.problems[0]?.message).toContain(
      `named "acme"; its source (${one}) is no longer configured`,
    );
  });

  test("goes on with one of two sources that both have its name", async () => {
    const before = await servedBefore([folderWith(FILES)]);
    const sources = [folderWith(FILES), folderWith(FILES)];
    const server = await startServer({ sources, dataDir: before.dataDir });
    // While both are evaluated, each can show the status of the factory that it would go on with.
    const ends = await waitFor(async () => {
      const all = await factoriesOf(server);
      const statuses = all.map(({ sync }) => sync.status).sort();
      return statuses.join() === "failed,synced" ? all : undefined;
    });
    expect(ends.find(({ sync }) => sync.status === "synced")?.uid).toBe(before.uid);
  });
});

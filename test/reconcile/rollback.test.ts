import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aKey, ask } from "../given/ask.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

interface History {
  revisions: {
    revision: string;
    outcome: string;
    asked_by: { reason: string; principal: { display_name: string } | null };
    changes: { action: string; kind: string; name: string }[];
    problems: { message: string }[];
    is_in_force: boolean;
  }[];
}

const WITH_WEBHOOK = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

async function stage(files = WITH_WEBHOOK) {
  const repository = repositoryWith(files);
  const first = repository.git("rev-parse", "HEAD");
  const dataDir = join(temporaryFolder(), "data");
  const start = async () => {
    const server = await startServer({ sources: [repository.url], dataDir });
    return { server, story: storyOf(server) };
  };
  const begun = await start();
  await begun.story.setSecret("CI_SECRET", "x");
  await waitFor(async () => (await begun.story.factory()).sync.status === "synced");
  return { repository, first, start, ...begun };
}

const historyOf = (server: Server) => server.api<History>("GET", "/factories/acme/revisions");

describe("a rollback", () => {
  test("brings a webhook back at its old URL, and is fought neither by git nor by a restart", async () => {
    const { repository, first, start, server, story } = await stage();
    const { url } = await story.webhook("ci");
    const second = repository.push({ "a.txt": "2" }, { remove: ["webhooks/ci.yaml"] });
    expect((await story.sync()).sync.applied_revision).toBe(second);
    expect((await story.deliver(url, "x", "{}")).status).toBe(404);

    const operator = await aKey(server, { role: "operator" });
    const answer = await ask(server, "POST", "/factories/acme/rollback", {
      key: operator,
      body: { revision: first.slice(0, 8) },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.sync).toMatchObject({ status: "suspended", applied_revision: first });
    expect((await story.deliver(url, "x", "{}")).status).toBe(202);
    const third = repository.push({ "a.txt": "3" });
    expect((await story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
    await server.stop();

    const again = await start();
    expect((await again.story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
    expect((await again.story.deliver(url.replace(server.url, again.server.url), "x", "[]")).status).toBe(
      202,
    );
    await again.server.api("POST", "/factories/acme/resume");
    await waitFor(async () => (await again.story.factory()).sync.applied_revision === third);
    const revisions = (await historyOf(again.server)).revisions.slice(0, 3);
    expect(
      revisions.map(({ revision, asked_by, is_in_force }) => [revision, asked_by.reason, is_in_force]),
    ).toEqual([
      [third, "resume", true],
      [first, "rollback", false],
      [second, "sync", false],
    ]);
    expect(revisions[1]?.asked_by.principal?.display_name).toMatch(/^key/);
    expect(revisions[1]?.changes).toContainEqual(expect.objectContaining({ action: "create", name: "ci" }));
  });

  test("reaches a commit that a forced push has taken out of the branch", async () => {
    const { repository, first, server, story } = await stage();
    const lost = repository.push({ "factory.yaml": `${FACTORY["factory.yaml"]}description: lost\n` });
    await story.sync();
    repository.reset(first);
    repository.push({ "a.txt": "3" }, { force: true });
    await story.sync();
    await server.api("POST", "/factories/acme/rollback", { revision: lost });
    expect((await story.factory()).sync).toMatchObject({ status: "suspended", applied_revision: lost });
  });

  test("that cannot be says why, and leaves all as it was", async () => {
    const { repository, first, server, story } = await stage();
    const rollback = async (revision: string) => {
      const { status, body } = await ask(server, "POST", "/factories/acme/rollback", { body: { revision } });
      return [status, body.detail];
    };
    const broken = repository.push({ "factory.yaml": "name: [" });
    await story.sync();
    const second = repository.push(FACTORY, { remove: ["webhooks/ci.yaml"] });
    await story.sync();
    await server.api("DELETE", "/secrets/CI_SECRET");
    expect(await rollback("f".repeat(40))).toEqual([
      404,
      expect.stringContaining("No applied revision starts with"),
    ]);
    expect(await rollback(broken)).toEqual([409, expect.stringContaining("never applied")]);
    expect(await rollback(first)).toEqual([
      409,
      expect.stringMatching(/webhooks\/ci\.yaml:\d+:\d+: there is no secret/),
    ]);
    expect(await rollback("main")).toEqual([400, expect.stringContaining("revision")]);
    expect((await story.sync()).sync).toMatchObject({
      status: "synced",
      attempted_revision: second,
      applied_revision: second,
    });
    const [newest] = (await historyOf(server)).revisions;
    expect(newest).toMatchObject({ revision: first, outcome: "failed", asked_by: { reason: "rollback" } });
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
  const { repository, first, start, server } = await stage();
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

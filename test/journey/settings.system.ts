import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { freePort } from "../given/port.ts";
import { repositoryWith } from "../given/repository.ts";
import { startServer, waitFor } from "../given/server.ts";
import { sshHost } from "../given/sshd.ts";
import { storyOf } from "../given/story.ts";

test("public and webhook URL are used in links, error types and ingress URLs", async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const server = await startServer({
    sources: [folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })],
    env: {
      MILLRACE_LISTEN: address,
      MILLRACE_PUBLIC_URL: "https://millrace.example.com/",
      MILLRACE_WEBHOOK_URL: "https://hooks.example.com",
    },
    reachedAt: `http://${address}`,
  });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  expect(url).toBe(`https://hooks.example.com/webhooks/w/${uid}`);
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "x" });
  expect((await story.ended(run_id)).session_link).toBe(`https://millrace.example.com/runs/${run_id}`);
  await expect(server.api("GET", "/nothing")).rejects.toThrow(
    "https://millrace.example.com/errors/resource_not_found",
  );
});

test("the database may lie elsewhere", async () => {
  const path = join(temporaryFolder(), "elsewhere.db");
  const server = await startServer({
    sources: [folderWith(FACTORY)],
    env: { MILLRACE_DATABASE_URL: `sqlite:${path}` },
  });
  expect(statSync(path).size).toBeGreaterThan(0);
  expect(existsSync(join(server.dataDir, "millrace.db"))).toBe(false);
});

test("branch, folder and poll interval say what is read, and how often", async () => {
  const repository = repositoryWith({ "other/x": "1" });
  const files = Object.fromEntries(
    Object.entries(FACTORY).map(([path, content]) => [`deploy/${path}`, content]),
  );
  const commit = repository.push(files, { branch: "live" });
  const server = await startServer({
    sources: [repository.url],
    args: ["--branch", "live", "--path", "deploy"],
    env: { MILLRACE_POLL_INTERVAL: "200ms" },
  });
  const story = storyOf(server);
  await waitFor(async () => (await story.factory()).sync.applied_revision === commit);
  expect((await story.factory()).source).toEqual({ url: repository.url, branch: "live", path: "deploy" });
  const next = repository.push({}, { branch: "live" });
  await waitFor(async () => (await story.factory()).sync.applied_revision === next);
});

test.each(["./deploy/factory", "/deploy/factory", "deploy//factory/"])(
  "the folder of a definition is the same however it is written: %s",
  async (path) => {
    const files = Object.fromEntries(
      Object.entries(FACTORY).map(([name, content]) => [`deploy/factory/${name}`, content]),
    );
    const folder = folderWith(files);
    const repository = repositoryWith(files);
    const ways = [
      { sources: [repository.url], args: ["--path", path] },
      { sources: [repository.url], env: { MILLRACE_PATH: path } },
      { sources: [], args: settingsFile({ factories: [{ source: repository.url, path }] }) },
      { sources: [], args: settingsFile({ factories: [{ source: folder, path }] }) },
    ];
    for (const way of ways) {
      const server = await startServer(way);
      await waitFor(async () => (await storyOf(server).factory()).sync.status === "synced");
      const { source } = await storyOf(server).factory();
      expect(source.path).toBe("url" in source ? "deploy/factory" : join(folder, "deploy/factory"));
      await server.stop();
    }
  },
);

const settingsFile = (settings: object) => [
  "--config",
  join(folderWith({ "millrace.yaml": JSON.stringify(settings) }), "millrace.yaml"),
];

test("a token, in a variable or a file, opens a private repository", async () => {
  const repository = repositoryWith(FACTORY);
  const host = await serveOverHttp(repository.url, "the-git-token");
  const file = join(folderWith({ token: "the-git-token\n" }), "token");
  for (const env of [{ MILLRACE_GIT_TOKEN: "the-git-token" }, { MILLRACE_GIT_TOKEN_FILE: file }]) {
    const server = await startServer({ sources: [host.url], env });
    await waitFor(async () => (await storyOf(server).factory()).sync.status === "synced");
    await server.stop();
    expect(server.log()).not.toContain("the-git-token");
  }
});

test("a token that does not open it is a problem, while the server serves on", async () => {
  const host = await serveOverHttp(repositoryWith(FACTORY).url, "right");
  const server = await startServer({ sources: [host.url], env: { MILLRACE_GIT_TOKEN: "the-wrong-token" } });
  const failed = await waitFor(async () => {
    const factory = await storyOf(server).factory();
    return factory.sync.status === "failed" ? factory : undefined;
  });
  expect(failed.sync.problems).toEqual([
    expect.objectContaining({ code: "GIT_AUTHENTICATION_FAILED", path: "factory.yaml", line: 1 }),
  ]);
  expect(JSON.stringify(failed)).not.toContain("the-wrong-token");
  expect((await server.fetch("/healthz")).status).toBe(200);
});

test("an ssh key and known hosts open a repository over ssh", async () => {
  const host = await sshHost();
  const env = { MILLRACE_GIT_SSH_KEY_FILE: host.deployKey, MILLRACE_GIT_KNOWN_HOSTS_FILE: host.knownHosts };
  const server = await startServer({ sources: [host.urlOf(repositoryWith(FACTORY).url)], env });
  await waitFor(async () => (await storyOf(server).factory()).sync.status === "synced");
});

test("the log level controls how much is logged", async () => {
  const quiet = await startServer({ sources: [folderWith(FACTORY)], env: { MILLRACE_LOG_LEVEL: "silent" } });
  await storyOf(quiet).sync();
  await quiet.stop();
  expect(quiet.log()).toBe("");
  const loud = await startServer({ sources: [folderWith(FACTORY)] });
  await storyOf(loud).sync();
  await loud.stop();
  const lines = loud
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "info", msg: "applied a definition", factory: "acme" }),
  );
});

test("factories of the settings file are served together, each with its own source", async () => {
  const one = repositoryWith(FACTORY);
  one.push({}, { branch: "live" });
  const two = folderWith({
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "two"),
  });
  const host = await serveOverHttp(one.url, "a-token-of-its-own");
  const text = `factories:
  - { source: "${host.url}", branch: live, poll: 200ms, credentials: { token: { env: ITS_TOKEN } } }
  - { source: "${two}" }
`;
  const settings = join(folderWith({ "m.yaml": text }), "m.yaml");
  const server = await startServer({
    sources: [],
    args: ["--config", settings],
    env: { ITS_TOKEN: "a-token-of-its-own" },
  });
  await waitFor(async () => {
    const { factories } = await server.api<{ factories: { name: string; sync: { status: string } }[] }>(
      "GET",
      "/factories",
    );
    return factories
      .map(({ name, sync }) => `${name} ${sync.status}`)
      .sort()
      .join() === "acme synced,two synced"
      ? true
      : undefined;
  });
});

test("two factories of the same name cannot both be applied", async () => {
  const server = await startServer({ sources: [folderWith(FACTORY), folderWith(FACTORY)] });
  await waitFor(async () => {
    const { factories } = await server.api<{
      factories: { sync: { status: string; problems: { message: string; line: number }[] } }[];
    }>("GET", "/factories");
    const failed = factories.find(({ sync }) => sync.status === "failed");
    return failed?.sync.problems[0]?.message.includes('already named "acme"') &&
      failed.sync.problems[0].line === 2
      ? true
      : undefined;
  });
});

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { freePort } from "../given/port.ts";
import { repositoryWith } from "../given/repository.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { sshHost } from "../given/sshd.ts";
import { type Factory, storyOf } from "../given/story.ts";

test("public and webhook URL are used in links, error types and ingress URLs, and the database may lie elsewhere", async () => {
  const database = join(temporaryFolder(), "elsewhere.db");
  const address = `127.0.0.1:${await freePort()}`;
  const server = await startServer({
    sources: [folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })],
    env: {
      MILLRACE_LISTEN: address,
      MILLRACE_PUBLIC_URL: "https://millrace.example.com/",
      MILLRACE_WEBHOOK_URL: "https://hooks.example.com",
      MILLRACE_DATABASE_URL: `sqlite:${database}`,
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
  expect(statSync(database).size).toBeGreaterThan(0);
  expect(existsSync(join(server.dataDir, "millrace.db"))).toBe(false);
});

/** A factory of another name, in a folder of its repository. */
const factoryIn = (folder: string, name = "acme") => ({
  ...Object.fromEntries(Object.entries(FACTORY).map(([path, content]) => [`${folder}${path}`, content])),
  [`${folder}factory.yaml`]: String(FACTORY["factory.yaml"]).replace("acme", name),
});

/** The factories of these sources, once the server has read each with this outcome. */
function factoriesOf(server: Server, outcomes: Record<string, "synced" | "failed">): Promise<Factory[]> {
  return waitFor(async () => {
    const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
    const found = Object.entries(outcomes).map(([url, outcome]) =>
      factories.find(({ source, sync }) => "url" in source && source.url === url && sync.status === outcome),
    );
    return found.includes(undefined) ? undefined : (found as Factory[]);
  });
}

test("branch, folder and poll interval say what is read, and how often, and a token in a variable opens it", async () => {
  const repository = repositoryWith({ "other/x": "1" });
  const commit = repository.push(factoryIn("deploy/"), { branch: "live" });
  const { url } = await serveOverHttp(repository.url, "the-git-token");
  const server = await startServer({
    sources: [url],
    args: ["--branch", "live", "--path", "./deploy//"],
    env: { MILLRACE_POLL_INTERVAL: "200ms", MILLRACE_GIT_TOKEN: "the-git-token" },
  });
  const story = storyOf(server);
  await waitFor(async () => (await story.factory()).sync.applied_revision === commit);
  expect((await story.factory()).source).toEqual({ url, branch: "live", path: "deploy" });
  const next = repository.push({}, { branch: "live" });
  await waitFor(async () => (await story.factory()).sync.applied_revision === next);
  expect(server.log()).not.toContain("the-git-token");
});

test("a token in a file and an ssh key open private repositories; one that a token does not open is a problem, while others are served", async () => {
  const host = await serveOverHttp(repositoryWith(factoryIn("", "over-http")).url, "the-git-token");
  const other = await serveOverHttp(repositoryWith(FACTORY).url, "another");
  const ssh = await sshHost();
  const overSsh = ssh.urlOf(repositoryWith(factoryIn("", "over-ssh")).url);
  const server = await startServer({
    sources: [host.url, other.url, overSsh],
    env: {
      MILLRACE_GIT_TOKEN_FILE: join(folderWith({ token: "the-git-token\n" }), "token"),
      MILLRACE_GIT_SSH_KEY_FILE: ssh.deployKey,
      MILLRACE_GIT_KNOWN_HOSTS_FILE: ssh.knownHosts,
    },
  });
  const [, failed] = await factoriesOf(server, {
    [host.url]: "synced",
    [other.url]: "failed",
    [overSsh]: "synced",
  });
  expect(failed?.sync.problems).toEqual([
    expect.objectContaining({ code: "GIT_AUTHENTICATION_FAILED", path: "factory.yaml", line: 1 }),
  ]);
  expect(JSON.stringify(failed)).not.toContain("the-git-token");
  expect((await server.fetch("/healthz")).status).toBe(200);
  await server.stop();
  expect(server.log()).not.toContain("the-git-token");
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

test("factories of the settings file are served together, each with its own source, and two of one name cannot both be applied", async () => {
  const one = repositoryWith({ "other/x": "1" });
  one.push(factoryIn("deploy/"), { branch: "live" });
  const folders = [1, 2].map(() => folderWith(factoryIn("deploy/factory/", "two")));
  const host = await serveOverHttp(one.url, "a-token-of-its-own");
  const text = `factories:
  - { source: "${host.url}", branch: live, path: /deploy, poll: 200ms, credentials: { token: { env: ITS_TOKEN } } }
  - { source: "${folders[0]}", path: ./deploy/factory }
  - { source: "${folders[1]}", path: deploy//factory/ }
`;
  const settings = join(folderWith({ "m.yaml": text }), "m.yaml");
  const server = await startServer({
    sources: [],
    args: ["--config", settings],
    env: { ITS_TOKEN: "a-token-of-its-own" },
  });
  const { acme, two } = await waitFor(async () => {
    const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
    const acme = factories.find(({ name, sync }) => name === "acme" && sync.status === "synced");
    const two = factories.filter(({ source }) => "path" in source && source.path.endsWith("/deploy/factory"));
    return acme &&
      two
        .map(({ sync }) => sync.status)
        .sort()
        .join() === "failed,synced"
      ? { acme, two }
      : undefined;
  });
  expect(acme.source).toEqual({ url: host.url, branch: "live", path: "deploy" });
  expect(two.map(({ source }) => "path" in source && source.path).sort()).toEqual(
    folders.map((folder) => join(folder, "deploy/factory")).sort(),
  );
  expect(two.find(({ sync }) => sync.status === "failed")?.sync.problems[0]).toMatchObject({
    message: expect.stringContaining('already named "two"'),
    line: 2,
  });
});

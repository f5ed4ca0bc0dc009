import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { ask } from "../given/ask.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import {
  gitThatKillsItsServer,
  listeningTo,
  managedBy,
  managedRepositories,
  serveManaged,
} from "../given/managed.ts";
import { repositoryWith, runGit } from "../given/repository.ts";
import { failToStart, type Server, startServer, waitFor } from "../given/server.ts";
import type { Factory } from "../given/story.ts";

const namesOn = async (server: Server) =>
  (await server.api<{ factories: Factory[] }>("GET", "/factories")).factories.map(({ name }) => name).sort();

const isReady = (server: Server) => waitFor(async () => (await server.fetch("/readyz")).status === 200);

const settingsWith = (text: string) => [
  "--config",
  join(folderWith({ "millrace.yaml": text }), "millrace.yaml"),
];

describe("a managed factory", () => {
  test("exists when no source was named, comes back after each restart, and is served next to named sources", async () => {
    const { server, create, deliver } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    await server.api("POST", "/factories", { name: "second" });
    await server.stop();

    const beside = await startServer({ sources: [folderWith(FACTORY)], dataDir: server.dataDir });
    await waitFor(async () => (await namesOn(beside)).join() === "acme,default,second");
    const now = new URL(url);
    expect(await deliver(`${beside.url}${now.pathname}`, secret)).toBe(202);
    expect(await managedBy(beside).git("log", "--format=%s", "main")).toBe(
      "Add the webhook ci\nCreate factory default",
    );
    await beside.stop();

    const again = await startServer({ sources: [], dataDir: server.dataDir });
    expect(await namesOn(again)).toEqual(["acme", "default", "second"]);
    expect(managedRepositories(again)).toHaveLength(2);
  });

  test("that the settings name is created once, whatever its definition calls it later", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const args = settingsWith("factories: [{ managed: team }, { managed: other }]");
    const server = await startServer({ sources: [], args, dataDir });
    await waitFor(async () => (await namesOn(server)).join() === "other,team");
    const files = Object.entries(FACTORY).map(([path, content]) => ({ path, content }));
    await isReady(server);
    await server.api("POST", "/factories/team/files", { files });
    expect(await namesOn(server)).toEqual(["acme", "other"]);
    await server.stop();
    const again = await startServer({ sources: [], args, dataDir });
    expect(await namesOn(again)).toEqual(["acme", "other"]);
    await again.stop();
    const both = settingsWith("factories: [{ managed: team }, { managed: acme }]");
    const { code, said } = await failToStart(both, { MILLRACE_DATA_DIR: dataDir });
    expect([code, said]).toEqual([2, expect.stringContaining("The same source is specified more than once")]);
  });

  test("that existed before the settings named it is not created again once its file has renamed it", async () => {
    const { server } = await serveManaged();
    await server.api("POST", "/factories", { name: "team" });
    await server.stop();
    const args = settingsWith("factories: [{ managed: team }]");
    const named = await startServer({ sources: [], args, dataDir: server.dataDir });
    await isReady(named);
    const files = Object.entries(FACTORY).map(([path, content]) => ({ path, content }));
    await named.api("POST", "/factories/team/files", { files });
    expect(await namesOn(named)).toEqual(["acme", "default"]);
    await named.api("POST", "/factories", { name: "team" });
    await named.stop();
    const again = await startServer({ sources: [], args, dataDir: server.dataDir });
    expect(await namesOn(again)).toEqual(["acme", "default", "team"]);
  });

  test("is not made under the name of one that a repository or a folder has defined", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const before = await startServer({ sources: [folderWith(FACTORY)], dataDir });
    await isReady(before);
    expect((await ask(before, "POST", "/factories", { body: { name: "acme" } })).status).toBe(409);
    await before.stop();
    const env = { MILLRACE_DATA_DIR: dataDir };
    const { code, said } = await failToStart(settingsWith("factories: [{ managed: acme }]"), env);
    expect([code, said]).toEqual([2, expect.stringContaining('declare factory "acme" as managed')]);
    const again = await startServer({ sources: [], dataDir });
    expect(await namesOn(again)).toEqual(["acme"]);
  });

  test("has a unique name, also when two requests ask for it at the same time", async () => {
    const { server } = await serveManaged();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(server, "POST", "/factories", { body: { name: "wanted" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await namesOn(server)).toEqual(["default", "wanted"]);
    await waitFor(async () => (await managedBy(server, "wanted").factory()).sync.status === "synced");
  });

  test("goes on after a crash between applying a revision and updating its branch", async () => {
    const git = gitThatKillsItsServer();
    const { server, create } = await serveManaged({ env: { PATH: git.path } });
    const before = await create({ name: "before" });
    git.arm();
    await expect(create({ name: "during" })).rejects.toThrow();

    const again = await startServer({ sources: [], dataDir: server.dataDir });
    const kept = managedBy(again);
    expect((await kept.webhooks()).map(({ name }) => name).sort()).toEqual(["before", "during"]);
    await again.api("POST", "/factories/default/sync?wait=true");
    expect(await kept.git("log", "--format=%s", "main")).toBe(
      "Add the webhook during\nAdd the webhook before\nCreate factory default",
    );
    const { sync } = await kept.factory();
    expect([sync.status, sync.applied_revision]).toEqual(["synced", await kept.git("rev-parse", "main")]);
    expect((await kept.create({ name: "after" })).status).toBe("active");
    const path = new URL(before.url).pathname;
    expect(await kept.deliver(`${again.url}${path}`, before.secret)).toBe(202);
  });

  test("is rolled back to a revision by a new commit, from which edits go on once it is resumed", async () => {
    const { server, create, git, call, factory, webhooks } = await serveManaged();
    await create({ name: "kept" });
    const good = await git("rev-parse", "main");
    await create({ name: "regretted" });
    await server.api("POST", "/factories/default/rollback", { revision: good.slice(0, 8) });
    expect((await factory()).sync.status).toBe("suspended");
    expect((await webhooks()).map(({ name }) => name)).toEqual(["kept"]);
    expect((await call("POST", "/webhooks", { body: { name: "x" } })).status).toBe(409);
    await server.api("POST", "/factories/default/resume");
    await create({ name: "next" });
    expect((await webhooks()).map(({ name }) => name)).toEqual(["kept", "next"]);
    expect((await git("log", "--format=%s", "main")).split("\n").slice(0, 3)).toEqual([
      "Add the webhook next",
      `Roll back to ${good.slice(0, 12)}`,
      "Add the webhook regretted",
    ]);
    expect(await server.api("GET", `/factories/default/commits/${good}`)).toMatchObject({
      state: "in_force",
    });
    expect(await server.api("GET", "/factories/default/drift")).toMatchObject({ in_sync: true });
  });

  test("whose repository is lost or damaged gets it back with the same commits, and goes on from them", async () => {
    const { server, create, deliver, git } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    const before = await git("log", "--format=%H %s", "main");
    await server.stop();
    rmSync(join(server.dataDir, "factories"), { recursive: true });

    const again = await startServer({ sources: [], dataDir: server.dataDir });
    const kept = managedBy(again);
    expect(await deliver(`${again.url}${new URL(url).pathname}`, secret)).toBe(202);
    await again.api("POST", "/factories/default/sync?wait=true");
    expect(await kept.git("log", "--format=%H %s", "main")).toBe(before);
    expect(again.log()).toContain("was restored from the store");
    await kept.create({ name: "second" });
    expect(await kept.git("log", "--format=%H %s", "main~1")).toBe(before);

    const [name = ""] = managedRepositories(again);
    rmSync(join(again.dataDir, "factories", name, "objects"), { recursive: true });
    await kept.create({ name: "third" });
    expect(await kept.git("log", "--format=%H %s", "main~2")).toBe(before);
    const { files } = await again.api<{ files: { path: string }[] }>("GET", "/factories/default/export");
    expect(files.map(({ path }) => path)).toEqual([
      "webhooks/ci.yaml",
      "webhooks/second.yaml",
      "webhooks/third.yaml",
    ]);
    expect(managedRepositories(again)).toEqual([name, `${name}.damaged`]);
  });

  test("of an earlier version whose repository is lost is served, and says what to do", async () => {
    const { server, create, deliver } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    await server.stop();
    const connection = openSqlite(join(server.dataDir, "millrace.db"));
    for (const table of ["git_objects", "managed_heads"]) await connection.run(`DELETE FROM ${table}`);
    connection.close();
    const [name = ""] = managedRepositories(server);
    const [there, away] = [join(server.dataDir, "factories", name), join(server.dataDir, "away.git")];
    renameSync(there, away);

    const again = await startServer({ sources: [], dataDir: server.dataDir });
    const kept = managedBy(again);
    const { sync } = await waitFor(async () => {
      const factory = await kept.factory();
      return factory.sync.status === "failed" ? factory : undefined;
    });
    expect(sync.problems[0]).toMatchObject({
      code: "GIT_UNREACHABLE",
      message: expect.stringMatching(
        /cannot be used: it does not exist.*Restore the folder from a backup, then sync/,
      ),
    });
    expect((await again.fetch("/readyz")).status).toBe(200);
    expect(await deliver(`${again.url}${new URL(url).pathname}`, secret)).toBe(202);
    expect((await kept.call("POST", "/webhooks", { body: { name: "x" } })).status).toBe(503);

    renameSync(away, there);
    const back = await again.api<Factory>("POST", "/factories/default/sync?wait=true");
    const problems = back.sync.problems.map(({ code }) => code);
    expect([back.sync.status, problems]).toEqual(["synced", ["FF_MISSING_FACTORY"]]);
    rmSync(there, { recursive: true });
    expect((await kept.call("POST", "/webhooks", { body: { name: "x" } })).status).toBe(201);
  });

  test("reports commits that were pushed into it, and applies them when asked", async () => {
    const { server, create, call, factory } = await serveManaged();
    await create({ name: "ci" });
    const { source } = await factory();
    const clone = join(temporaryFolder(), "clone");
    runGit("/", "clone", "--quiet", source.url ?? "", clone);
    const pushed = repositoryWith({ "automations/a.md": listeningTo("ci") });
    runGit(clone, "fetch", "--quiet", pushed.url, "main");
    runGit(clone, "checkout", "--quiet", "FETCH_HEAD", "--", "automations");
    runGit(clone, "commit", "--quiet", "--message=By hand");
    runGit(clone, "push", "--quiet", "origin", "HEAD:main");
    const refused = await call("POST", "/webhooks", { body: { name: "x" } });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining("was pushed to it directly"),
    ]);
    await server.api("POST", "/factories/default/sync?wait=true");
    expect((await call("GET", "/automations/a")).status).toBe(200);
    await create({ name: "x" });
  });

  test("returns to the applied revision when an invalid definition was pushed, and goes on from there", async () => {
    const { server, create, call, factory } = await serveManaged();
    await create({ name: "ci" });
    const { source, sync } = await factory();
    const clone = join(temporaryFolder(), "clone");
    runGit("/", "clone", "--quiet", source.url ?? "", clone);
    writeFiles(clone, { "webhooks/ci.yaml": "nonsense: true\n" });
    runGit(clone, "commit", "--quiet", "--all", "--message=By hand");
    runGit(clone, "push", "--quiet", "origin", "HEAD:main");
    const failed = await server.api<Factory>("POST", "/factories/default/sync?wait=true");
    expect(failed.sync.status).toBe("failed");
    await server.api("POST", "/factories/default/rollback", { revision: sync.applied_revision });
    await server.api("POST", "/factories/default/resume");
    await waitFor(async () => (await factory()).sync.status === "synced");
    expect((await call("POST", "/webhooks", { body: { name: "x" } })).status).toBe(201);
  });
});

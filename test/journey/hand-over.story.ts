import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { type Files, folderWith } from "../given/folder.ts";
import { managedRepositories, serveManaged } from "../given/managed.ts";
import { repositoryWith, runGit } from "../given/repository.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { type Factory, storyOf } from "../given/story.ts";

const factoriesOn = async (server: Server) =>
  (await server.api<{ factories: Factory[] }>("GET", "/factories")).factories;
const namesOn = async (server: Server) => (await factoriesOn(server)).map(({ name }) => name).sort();
const failedOn = (server: Server) =>
  waitFor(async () => (await factoriesOn(server)).find(({ sync }) => sync.status === "failed"));

const named = (name: string): Files => ({
  ...FACTORY,
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
});

const settingsOf = (source: string, more = "") => [
  "--config",
  join(folderWith({ "millrace.yaml": `factories:\n  - source: ${source}\n${more}` }), "millrace.yaml"),
];

describe("a managed factory", () => {
  test("moves to a repository of one's own, with the URLs of its webhooks", async () => {
    const { server, create, deliver, git, factory } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    const { uid } = await factory();
    const { files } = await server.api<{ files: { path: string; content: string }[] }>(
      "GET",
      "/factories/default/export",
    );
    const own = repositoryWith({
      ...named("default"),
      ...Object.fromEntries(files.map(({ path, content }) => [path, content])),
    });
    const history = await git("rev-parse", "main");
    await server.stop();

    const args = settingsOf(own.url, "    goesOnWith: default\n");
    const before = await startServer({ sources: [], args, dataDir: server.dataDir });
    const failed = await failedOn(before);
    expect(failed.sync.problems[0]?.message).toContain("suspend that factory (`millrace suspend default`)");
    await before.api("POST", "/factories/default/suspend");
    await before.api("POST", `/factories/${failed.uid}/sync?wait=true`);
    expect(await before.api("GET", "/factories/default")).toMatchObject({ uid, mode: "repository" });
    expect(await namesOn(before)).toEqual(["default"]);
    expect(await deliver(`${before.url}${new URL(url).pathname}`, secret)).toBe(202);
    await before.stop();

    const after = await startServer({ sources: [own.url], dataDir: server.dataDir });
    expect(await storyOf(after).factory()).toMatchObject({
      uid,
      mode: "repository",
      sync: { status: "synced" },
    });
    expect(await namesOn(after)).toEqual(["default"]);
    const [archive = ""] = managedRepositories(after);
    expect(runGit(join(after.dataDir, "factories", archive), "rev-parse", "main")).toBe(history);
  });

  test.each([
    ["", "no factory"],
    ["    goesOnWith: elsewhere\n", "another factory"],
  ])("is not taken by a source that names it, and that the settings let go on with (%j) %s", async (more) => {
    const { server, create, deliver, factory } = await serveManaged();
    const { url, secret } = await create({ name: "ci" });
    const { uid } = await factory();
    await server.api("PUT", "/secrets/PAID", { value: "of-default", factories: ["default"] });
    await server.api("POST", "/factories/default/suspend");
    await server.stop();

    const thief = repositoryWith(named("default"));
    const attacked = await startServer({
      sources: [],
      args: settingsOf(thief.url, more),
      dataDir: server.dataDir,
    });
    const failed = await failedOn(attacked);
    expect(failed.uid).not.toBe(uid);
    expect(failed.sync.problems[0]?.message).toContain(
      "set `goesOnWith: default` for the source in millrace.yaml",
    );
    await attacked.api("POST", `/factories/${failed.uid}/sync?wait=true`);
    expect(await attacked.api("GET", `/factories/${uid}`)).toMatchObject({
      name: "default",
      mode: "managed",
    });
    expect(await attacked.api("GET", "/secrets")).toMatchObject({
      secrets: expect.arrayContaining([expect.objectContaining({ name: "PAID", factories: ["default"] })]),
    });
    expect(await deliver(`${attacked.url}${new URL(url).pathname}`, secret)).toBe(202);
  });
});

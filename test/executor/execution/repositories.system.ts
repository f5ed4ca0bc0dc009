import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryFolders } from "../../../src/executor/workspace/repository-folders.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { withFactoryLines, withNeededRepository } from "../../given/definition.ts";
import { LIST_WORKSPACE, preparingServer } from "../../given/executing.ts";
import { folderWith, writeFiles } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { aForge, repositoryWith, runGit } from "../../given/repository.ts";

test("a run finds the repositories of its factory in its workspace, as they are when it begins", async () => {
  const { run, repository, workspaceOf } = await preparingServer(LIST_WORKSPACE);
  const first = await run();
  expect(first).toMatchObject({ state: "SUCCEEDED" });
  expect(first.transcript).toContain("[millrace: cloning acme/shop into shop]");
  expect(first.transcript.split("\n")).toEqual(
    expect.arrayContaining([
      "./agent.json",
      "./mcp.json",
      "./prompt.md",
      "./shop/",
      "./shop/.git",
      "./shop/README.md",
    ]),
  );
  repository.push({ "new.txt": "1" });
  expect((await run()).transcript).toContain("./shop/new.txt");
  expect(runGit(join(workspaceOf(first.run_id), "shop"), "remote", "get-url", "origin")).toBe(
    `file://${repository.url}`,
  );
});

test("an environment has its own repositories, and two of one name have their owners' before it", async () => {
  const { run, forge, environment } = await preparingServer(LIST_WORKSPACE);
  forge.repository("acme/api");
  forge.repository("other/api");
  forge.repository("acme/skills");
  const repos = ["acme/api", "other/api", "acme/skills"].map((each) => each.split("/"));
  const uid = await environment({ github_repos: repos.map(([owner = "", repo = ""]) => ({ owner, repo })) });
  const { state, transcript } = await run({ config: { environment_id: uid } });
  expect(state).toBe("SUCCEEDED");
  for (const folder of ["acme-api", "other-api", "acme-skills"]) {
    expect(transcript).toContain(`./${folder}/README.md`);
  }
  expect(transcript).not.toContain("./shop");
});

test("a run whose repository is gone says so although a mirror is at hand", async () => {
  const { run, forge, environment } = await preparingServer(LIST_WORKSPACE);
  const { url } = forge.repository("acme/gone");
  const uid = await environment({ github_repos: [{ owner: "acme", repo: "gone" }] });
  expect((await run({ config: { environment_id: uid } })).state).toBe("SUCCEEDED");
  rmSync(url, { recursive: true });
  expect(await run({ config: { environment_id: uid } })).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(/acme\/gone\.git.*The repository does not exist/),
    },
  });
});

test("a run in an environment whose repository no forge has names the forge that is missing", async () => {
  const { run, server } = await serverWithAgent(LIST_WORKSPACE);
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", {
    name: "node",
    github_repos: [{ owner: "acme", repo: "shop" }],
  });
  expect(await run({ config: { environment_id: uid } })).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(/acme\/shop cannot be cloned.*forges: in millrace\.yaml/),
    },
  });
});

test("without any forge, a factory's repositories are a warning, and its runs fail and say what to set", async () => {
  const { run, story } = await serverWithAgent(LIST_WORKSPACE, { files: withNeededRepository() });
  expect((await story.factory()).sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      path: "factory.yaml",
      line: 3,
      message: expect.stringContaining("no forge is configured for acme/shop"),
    }),
  );
  expect(await run()).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(
        /acme\/shop cannot be cloned.*forges: in millrace\.yaml.*millrace: \{ repositories: optional \}` in factory\.yaml/,
      ),
    },
  });
});

test("runs start without repositories that their factory calls optional, where no forge has them", async () => {
  const { run, story } = await serverWithAgent(LIST_WORKSPACE, {
    files: withFactoryLines("millrace: { repositories: optional }\n"),
  });
  expect((await story.factory()).sync.problems.filter(({ severity }) => severity !== "notice")).toEqual([]);
  const { state, transcript } = await run();
  expect([state, transcript]).toEqual(["SUCCEEDED", expect.not.stringContaining("shop")]);
});

test("an optional repository that cannot be read is left out, and the transcript says why", async () => {
  const { run, forge, repository, workspaceOf } = await preparingServer(LIST_WORKSPACE, {
    files: withFactoryLines("millrace: { repositories: optional }\n"),
  });
  expect((await run()).transcript).toContain("./shop/README.md");
  rmSync(repository.url, { recursive: true });
  const { state, transcript, run_id } = await run();
  expect(state).toBe("SUCCEEDED");
  expect(transcript).toMatch(
    /this run does not have acme\/shop: git could not read .*The repository does not exist/,
  );
  expect(existsSync(join(workspaceOf(run_id), "shop"))).toBe(false);
  forge.repository("acme/shop");
  expect((await run()).transcript).toContain("./shop/README.md");
});

test("a repository of a factory that cannot be read fails its runs, and they say how to go without", async () => {
  const { run, repository } = await preparingServer(LIST_WORKSPACE);
  rmSync(repository.url, { recursive: true });
  expect(await run()).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(
        /acme\/shop cannot be cloned.*The repository does not exist.*repositories: optional/,
      ),
    },
  });
});

test("a forge that does not list the owner leaves a factory's run without what it must clone", async () => {
  const forge = aForge();
  forge.settings = `forges: { inside: { baseUrl: "${forge.baseUrl}", owners: [others] } }\n`;
  const { run, source, story } = await preparingServer(LIST_WORKSPACE, { forge });
  const { state, status_message } = await run();
  expect([state, status_message?.message]).toEqual(["FAILED", expect.stringContaining('none lists "acme"')]);
  writeFiles(source, withFactoryLines("millrace: { repositories: optional }\n"));
  await story.sync();
  const without = await run();
  expect(without.state).toBe("SUCCEEDED");
  expect(without.transcript).toMatch(/this run does not have acme\/shop: .*none lists "acme"/);
});

test("a forge's token opens private repositories and reaches neither the agent nor its disk", async () => {
  const token = "forge-t0ken-that-must-not-be-seen";
  const agent = `
    import { readFileSync, readdirSync } from "node:fs";
    console.log(readFileSync("shop/a", "utf8"));
    const files = readdirSync(".", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const all = files.map((entry) => readFileSync(entry.parentPath + "/" + entry.name, "latin1")).join();
    console.log(all.includes("${token.slice(0, 8)}" + "${token.slice(8)}"), JSON.stringify(process.env).includes("t0ken"));`;
  const host = await serveOverHttp(repositoryWith({ a: "private" }).url, token);
  // The host has one repository, whatever it is called.
  const baseUrl = host.url.replace("/origin.git", "");
  const settings = `forges: { home: { baseUrl: "${baseUrl}", token: { secret: FORGE } } }\n`;
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const factory = String(withNeededRepository()["factory.yaml"]).replace("acme, name: shop", "x, name: shop");
  const { run, story } = await serverWithAgent(agent, {
    files: { "factory.yaml": factory },
    args: ["--config", config],
  });
  await story.setSecret("FORGE", token);
  host.rewrite = () => "/origin.git";
  const { state, transcript, status_message } = await run();
  expect(status_message?.message).toBeUndefined();
  expect([state, transcript]).toEqual(["SUCCEEDED", expect.stringContaining("private\nfalse false")]);
  host.token = "rotated";
  expect((await run()).status_message?.message).toContain("check the token of forges.home in millrace.yaml");
});

test("a hostile repository writes nowhere but into its folder", async () => {
  const outside = folderWith({ kept: "as it was" });
  const { run, repository, workspaceOf } = await preparingServer(LIST_WORKSPACE);
  const clone = repository.git("rev-parse", "--show-toplevel");
  symlinkSync(outside, join(clone, "out"));
  symlinkSync("../prompt.md", join(clone, "prompt"));
  repository.push({ [`${"a".repeat(200)}/${"b".repeat(200)}`]: "1", "-rf": "1" });
  const { state, run_id } = await run();
  expect(state).toBe("SUCCEEDED");
  expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was");
  expect(readFileSync(join(workspaceOf(run_id), "prompt.md"), "utf8")).toContain("Do it.");
  expect(existsSync(join(workspaceOf(run_id), "shop", "-rf"))).toBe(true);
});

test.each([
  [["acme/shop"], [], ["shop"]],
  [["acme/shop", "acme/shop", "ACME/Shop"], [], ["Shop"]],
  [["acme/shop", "other/Shop"], [], ["acme-shop", "other-Shop"]],
  [["acme/prompt.md", "acme/turns"], [], ["acme-prompt.md", "acme-turns"]],
  [["acme/.github"], [], ["acme-.github"]],
  [["acme/report"], ["Report"], ["acme-report"]],
  [["group/sub/app", "x/app"], [], ["group-sub-app", "x-app"]],
  [["a/b", "c/b", "d/a-b"], [], ["a-b", "c-b", "a-b-2"]],
])("the folders of %j next to %j are %j", (repositories, taken, folders) => {
  const named = repositories.map((each) => ({
    owner: each.slice(0, each.lastIndexOf("/")),
    name: each.slice(each.lastIndexOf("/") + 1),
  }));
  expect([...repositoryFolders(named, taken).keys()].sort()).toEqual([...folders].sort());
});

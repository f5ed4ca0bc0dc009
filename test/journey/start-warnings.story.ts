import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { aKey, ask } from "../given/ask.ts";
import { every } from "../given/clockwork.ts";
import { automationWith, FACTORY } from "../given/definition.ts";
import { type Files, folderWith, temporaryFolder } from "../given/folder.ts";
import { repositoryWith, runGit } from "../given/repository.ts";
import { failToStart, run, type Server, startServer, waitFor } from "../given/server.ts";

/** An automation alone: its factory is named after its source. */
const DAILY = `triggers:
  - ${every("@daily")}`;

/** A work tree of git with a definition in it. */
function workTree(): string {
  const folder = folderWith(FACTORY);
  runGit(folder, "init", "--quiet");
  return folder;
}

/** What a server warns of, once it has said all that it says at its start. */
async function warningsOf(options: Parameters<typeof startServer>[0]): Promise<string> {
  const server = await startServer(options);
  await server.stop();
  return server.log();
}

/** The smallest factory, whose agent has a harness of its own. */
function withHarness(type: string, name = "acme"): Files {
  const text = String(FACTORY["factory.yaml"]).replace("type: command", `type: ${type}`);
  return { ...FACTORY, "factory.yaml": text.replace("name: acme", `name: ${name}`) };
}

/** What the overview shows of the settings. */
async function noticesOf({ api }: Pick<Server, "api">): Promise<string[]> {
  return (await api<{ server_notices: string[] }>("GET", "/whoami")).server_notices;
}

test("a data folder in a work tree adds nothing to a commit, and no warning", async () => {
  const folder = workTree();
  const log = await warningsOf({ sources: [folder], dataDir: join(folder, ".millrace") });
  runGit(folder, "add", ".");
  expect(existsSync(join(folder, ".millrace/master.key"))).toBe(true);
  expect(runGit(folder, "diff", "--cached", "--name-only")).not.toContain(".millrace");
  expect(log).not.toContain("work tree");
});

test("a data folder whose files git would commit, or has committed, is warned of at the start and by doctor", async () => {
  const folder = workTree();
  const dataDir = join(folder, ".millrace");
  await warningsOf({ sources: [folder], dataDir });
  writeFileSync(join(dataDir, ".gitignore"), "");
  expect(await warningsOf({ sources: [folder], dataDir })).toContain(
    `${join(dataDir, "master.key")} is in a git work tree and is not ignored`,
  );
  writeFileSync(join(dataDir, ".gitignore"), "*\n");
  runGit(folder, "add", "--force", join(dataDir, "master.key"));
  const { printed } = await run(["doctor", "--data-dir", dataDir], { MILLRACE_SANDBOX: "none" });
  expect(printed).toMatch(/warning work tree: .*master\.key is in a git work tree and is not ignored/);
});

test("a master key and a database elsewhere in a work tree are warned of as well", async () => {
  const folder = workTree();
  const env = {
    MILLRACE_DATABASE_URL: `sqlite:${join(folder, "own.db")}`,
    MILLRACE_MASTER_KEY_FILE: join(folder, "own.key"),
  };
  writeFileSync(env.MILLRACE_MASTER_KEY_FILE, "a-master-key-of-some-length");
  const log = await warningsOf({ sources: [folder], env });
  for (const name of ["own.db", "own.key"])
    expect(log).toContain(`${join(folder, name)} is in a git work tree`);
});

test("a server without an agent command reports it at its start, after sign-in, and in doctor", async () => {
  const server = await startServer({ sources: [folderWith(FACTORY)], env: { MILLRACE_AGENT_COMMAND: "" } });
  const notice =
    /No agent command is set, and no harness for the agent boss of acme: .*claude, codex, gemini, opencode/;
  await waitFor(() => notice.test(server.log()) || undefined);
  expect(await noticesOf(server)).toEqual([expect.stringMatching(notice)]);
  const { printed } = await run(["doctor", "--data-dir", server.dataDir], { MILLRACE_SANDBOX: "none" });
  expect(printed).toMatch(
    /warning agent command: No agent command is set, and no harness for the agent boss/,
  );
  const withCommand = await startServer({ sources: [folderWith(FACTORY)] });
  expect(await noticesOf(withCommand)).toEqual([]);
  await withCommand.stop();
  expect(withCommand.log()).not.toContain("No agent command");
});

test("a key that is limited to a factory hears of no agent of another one that has no program", async () => {
  const other = withHarness("claude", "other");
  const server = await startServer({
    sources: [folderWith(FACTORY), folderWith(other)],
    env: { MILLRACE_AGENT_COMMAND: "" },
  });
  await waitFor(async () => {
    const { factories } = await server.api<{ factories: { name: string }[] }>("GET", "/factories");
    const names = factories.map(({ name }) => name).toSorted();
    return (await noticesOf(server)).length === 1 && names.join() === "acme,other" ? true : undefined;
  });
  const heard = async (factory: string) => {
    const key = await aKey(server, { role: "viewer", factories: [factory] });
    return (await ask(server, "GET", "/whoami", { key })).body.server_notices;
  };
  expect(await heard("acme")).toHaveLength(1);
  expect(await heard("other")).toEqual([]);
});

test("a server whose agents and automations all have a harness misses no agent command", async () => {
  const server = await startServer({
    sources: [folderWith(withHarness("claude"))],
    env: { MILLRACE_AGENT_COMMAND: "" },
  });
  expect(await noticesOf(server)).toEqual([]);
  const { printed } = await run(["doctor", "--data-dir", server.dataDir], { MILLRACE_SANDBOX: "none" });
  expect(printed).not.toContain("agent command");
  await server.stop();
  expect(server.log()).not.toContain("No agent command");
});

test("without git a server of a repository does not start, and one of a folder says what is missing", async () => {
  const programs = temporaryFolder();
  symlinkSync(process.execPath, join(programs, "node"));
  const { code, said } = await failToStart([repositoryWith(FACTORY).url], {
    PATH: programs,
    MILLRACE_DATA_DIR: join(temporaryFolder(), "data"),
  });
  expect([code, said]).toEqual([
    1,
    expect.stringContaining("git is not installed; millrace requires it to read definitions"),
  ]);
  expect(said).toContain("https://git-scm.com/downloads");
  expect(await warningsOf({ sources: [folderWith(FACTORY)], env: { PATH: programs } })).toContain(
    "git is not installed on this machine",
  );
});

test("a clock that is behind what was written down is warned of at the start", async () => {
  const source = folderWith(FACTORY);
  const dataDir = join(temporaryFolder(), "data");
  await warningsOf({ sources: [source], dataDir });
  const database = new BetterSqlite(join(dataDir, "millrace.db"));
  database.prepare("UPDATE factories SET attempted_at = '2999-01-01T00:00:00.000Z'").run();
  database.close();
  expect(await warningsOf({ sources: [source], dataDir })).toContain(
    "the last entry in the database is from 2999",
  );
});

test("a branch that is mistyped at the first start takes no name from the factory that the right one gives", async () => {
  const repository = repositoryWith({ "automations/daily/automation.md": automationWith(DAILY) });
  const dataDir = join(temporaryFolder(), "data");
  const wrong = await startServer({ sources: [repository.url], dataDir, args: ["--branch", "mian"] });
  const named = async (server: typeof wrong) =>
    (await server.api<{ factories: { name: string; sync: { status: string } }[] }>("GET", "/factories"))
      .factories;
  await waitFor(async () => (await named(wrong))[0]?.sync.status === "failed");
  const [first] = await named(wrong);
  await wrong.stop();
  const right = await startServer({ sources: [repository.url], dataDir });
  await waitFor(async () => (await named(right)).every(({ sync }) => sync.status === "synced"));
  expect((await named(right)).map(({ name }) => name)).toEqual([first?.name]);
});

test("a branch that was mistyped once is not served later and does not block its name for another factory", async () => {
  const repository = repositoryWith(FACTORY);
  const dataDir = join(temporaryFolder(), "data");
  const factoriesAfter = async (sources: string[], args: string[], status: string) => {
    const server = await startServer({ sources, dataDir, args });
    const list = () =>
      server.api<{ factories: { name: string; sync: { status: string } }[] }>("GET", "/factories");
    await waitFor(async () => (await list()).factories.every(({ sync }) => sync.status === status));
    return { server, names: (await list()).factories.map(({ name }) => name) };
  };
  const wrong = await factoriesAfter([repository.url], ["--branch", "mian"], "failed");
  await wrong.server.stop();
  const right = await factoriesAfter([repository.url], [], "synced");
  expect(right.names).toEqual(["acme"]);
  await right.server.api("POST", "/factories", { name: wrong.names[0] });
  await right.server.stop();
  const later = await factoriesAfter([], [], "synced");
  expect(later.names.sort()).toEqual(["acme", wrong.names[0]].sort());
});

test("a variable that millrace.yaml names and the environment does not have is warned of at the start", async () => {
  const settings = `forges:
  github: { baseUrl: "https://github.com", token: { env: CLONE_TOKEN } }
  inside: { baseUrl: "https://git.example.com", token: { env: INSIDE_TOKEN } }
`;
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const log = await warningsOf({
    sources: [folderWith(FACTORY), "--config", config],
    env: { INSIDE_TOKEN: "x" },
  });
  expect(log).toContain(
    "The settings read forges.github.token from the variable CLONE_TOKEN, which is not set: set it in the environment of the server",
  );
  expect(log).not.toContain("INSIDE_TOKEN");
});

test("doctor starts the program of each harness in the sandbox, and says which does not start", async () => {
  const tools = folderWith({
    good: "#!/bin/sh\necho good 1.2.3\n",
    bad: "#!/bin/sh\necho broken >&2; exit 3\n",
    "millrace.yaml": "harnesses:\n  two: { command: PLACE/bad }\n  three: { command: PLACE/none }\n",
  });
  for (const name of ["good", "bad"]) chmodSync(join(tools, name), 0o755);
  chmodSync(tools, 0o755);
  const config = join(tools, "millrace.yaml");
  const text = "harnesses:\n  two: { command: PLACE/bad }\n  three: { command: PLACE/none }\n";
  writeFileSync(config, text.replaceAll("PLACE", tools));
  const { code, printed } = await run(["doctor", "--config", config, "--data-dir", join(tools, "data")], {
    MILLRACE_SANDBOX: "none",
    MILLRACE_AGENT_COMMAND: `${tools}/good --fast`,
  });
  expect(printed).toMatch(/ok {6}harness command: .*prints: good 1\.2\.3/);
  expect(printed).toMatch(/warning harness two: .*exited with code 3 and printed: broken/);
  expect(printed).toMatch(/ERROR {3}harness three: .*cannot be started/);
  expect(code).toBe(1);
});

test("doctor takes an agent command that starts and does not know --version for one that works", async () => {
  const { code, printed } = await run(["doctor", "--data-dir", join(temporaryFolder(), "data")], {
    MILLRACE_SANDBOX: "none",
    MILLRACE_AGENT_COMMAND: "sh agent.sh",
  });
  expect(printed).toMatch(
    /ok {6}harness command: `sh` starts in the sandbox none; `--version` exited with code \d/,
  );
  expect(code).toBe(0);
});

test("several factories cause a warning at the start, also when one is a managed factory that nothing names, and one factory does not", async () => {
  const several = "There are several factories";
  const kept = await startServer({ sources: [] });
  await kept.stop();
  const { dataDir } = kept;
  expect(kept.log()).not.toContain(several);
  const source = folderWith(FACTORY);
  expect(await warningsOf({ sources: [source], dataDir })).toContain(several);
  const env = { MILLRACE_DEFAULT_FACTORY: "acme" };
  const log = await warningsOf({ sources: [source], dataDir, env });
  expect(log).not.toMatch(/several factories|does not exist/);
});

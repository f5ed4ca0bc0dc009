import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type GitAccess, installAskpass } from "../../src/git/git-environment.ts";
import { repositorySource } from "../../src/git/repository.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp, serveRedirects } from "../given/git-http.ts";
import { repositoryWith, spyOnGit } from "../given/repository.ts";
import { sshHost } from "../given/sshd.ts";

const TOKEN = "t0ken-that-must-not-be-seen";

function sourceOf(url: string, access: GitAccess, gitFolder = join(temporaryFolder(), "git")) {
  return repositorySource({ url, branch: "main", path: ".", access, gitFolder });
}

const failure = (source: { latest(): Promise<unknown> }) =>
  source.latest().then(
    () => ({ code: "nothing failed", message: "" }),
    (error) => ({ code: error.code as string, message: String(error.message) }),
  );

/** The content of every file below a folder. */
function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("a private repository over http", () => {
  test("is read with a token, which stands in no file of the mirror", async () => {
    const repository = repositoryWith({ a: "1" });
    const host = await serveOverHttp(repository.url, TOKEN);
    const gitFolder = join(temporaryFolder(), "git");
    const tree = await sourceOf(host.url, { token: async () => TOKEN }, gitFolder).latest();
    expect(tree.entries).toHaveLength(1);
    expect(host.seen).toContain(`Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`);
    expect(everything(gitFolder)).not.toContain(TOKEN);
  });

  test("takes a new token without a restart", async () => {
    const repository = repositoryWith({ a: "1" });
    const host = await serveOverHttp(repository.url, TOKEN);
    const file = join(folderWith({ token: TOKEN }), "token");
    const source = sourceOf(host.url, { token: async () => readFileSync(file, "utf8") });
    await source.latest();
    host.token = "rotated";
    repository.push({ a: "2" });
    expect((await failure(source)).code).toBe("GIT_AUTHENTICATION_FAILED");
    writeFileSync(file, "rotated");
    expect((await source.latest()).revision.message).toBe("Change the definition");
  });

  test("with a wrong token, or none, says so without showing it", async () => {
    const host = await serveOverHttp(repositoryWith({ a: "1" }).url, "right");
    const wrong = await failure(sourceOf(host.url, { token: async () => TOKEN }));
    expect(wrong.code).toBe("GIT_AUTHENTICATION_FAILED");
    expect(wrong.message).toContain("MILLRACE_GIT_TOKEN");
    expect(wrong.message).not.toContain(TOKEN);
    expect((await failure(sourceOf(host.url, {}))).code).toBe("GIT_AUTHENTICATION_FAILED");
  });

  test("does not follow a redirect, which could carry the token elsewhere", async () => {
    const host = await serveOverHttp(repositoryWith({ a: "1" }).url, TOKEN);
    const redirect = await serveRedirects(new URL(host.url).origin);
    const { code } = await failure(sourceOf(`${redirect}/origin.git`, { token: async () => TOKEN }));
    expect(code).toBe("GIT_REFUSED");
    expect(host.seen).toEqual([]);
  });

  test("gets no token over an unencrypted connection to another machine", async () => {
    const { code, message } = await failure(
      sourceOf("http://git.example.com/x.git", { token: async () => TOKEN }),
    );
    expect(code).toBe("GIT_REFUSED");
    expect(message).toContain("use an https URL");
  });
});

test("git gets an environment of its own, and no credential among its arguments", async () => {
  const host = await serveOverHttp(repositoryWith({ a: "1" }).url, TOKEN);
  const spy = spyOnGit();
  const { PATH } = process.env;
  process.env.PATH = spy.path;
  process.env.MILLRACE_TEST_LEAK = "leak";
  process.env.GIT_DIR = "/nowhere";
  onTestFinished(() => {
    process.env.PATH = PATH;
    delete process.env.MILLRACE_TEST_LEAK;
    delete process.env.GIT_DIR;
  });
  await sourceOf(host.url, { token: async () => TOKEN }).latest();
  const seen = spy.seen();
  expect(spy.calls()).toContainEqual(expect.stringMatching(/^ls-remote /));
  expect(seen).toContain("GIT_TERMINAL_PROMPT=0");
  expect(seen).not.toMatch(new RegExp(`^called .*${TOKEN}`, "m"));
  expect(seen).not.toContain("MILLRACE_TEST_LEAK");
  expect(seen).not.toContain("GIT_DIR=/nowhere");
  expect(seen).not.toMatch(/^HOME=/m);
});

describe("a private repository over ssh", () => {
  test("is read with a deploy key and known hosts, also after both keys are rotated", async () => {
    const repository = repositoryWith({ a: "1" });
    const host = await sshHost();
    const keyFile = join(temporaryFolder("with space and 'quote'"), "key");
    writeFileSync(keyFile, readFileSync(host.deployKey), { mode: 0o600 });
    const source = sourceOf(host.urlOf(repository.url), {
      sshKeyFile: keyFile,
      knownHostsFile: host.knownHosts,
    });
    expect((await source.latest()).entries).toHaveLength(1);

    host.authorize(host.strangerKey);
    const commit = repository.push({ a: "2" });
    expect((await failure(source)).code).toBe("GIT_AUTHENTICATION_FAILED");
    writeFileSync(keyFile, readFileSync(host.strangerKey), { mode: 0o600 });
    expect((await source.latest()).revision.id).toBe(commit);
  });

  test("is not read from a host whose key is unknown", async () => {
    const repository = repositoryWith({ a: "1" });
    const host = await sshHost();
    const knownHostsFile = join(folderWith({ known_hosts: "" }), "known_hosts");
    const source = sourceOf(host.urlOf(repository.url), { sshKeyFile: host.deployKey, knownHostsFile });
    const { code, message } = await failure(source);
    expect(code).toBe("GIT_AUTHENTICATION_FAILED");
    expect(message).toContain("MILLRACE_GIT_KNOWN_HOSTS_FILE");
  });

  test("is not read with a key that may not log in", async () => {
    const repository = repositoryWith({ a: "1" });
    const host = await sshHost();
    const source = sourceOf(host.urlOf(repository.url), {
      sshKeyFile: host.strangerKey,
      knownHostsFile: host.knownHosts,
    });
    expect((await failure(source)).code).toBe("GIT_AUTHENTICATION_FAILED");
  });

  test("is not opened through a key file whose name is a command", async () => {
    const witness = join(temporaryFolder(), "ran");
    const source = sourceOf("ssh://127.0.0.1:1/x", {
      sshKeyFile: `$(touch ${witness})`,
      knownHostsFile: `";touch ${witness};"`,
    });
    await failure(source);
    expect(existsSync(witness)).toBe(false);
  });
});

test("the askpass helper is not touched while it is what it should be, and put right when it is not", async () => {
  const gitFolder = join(temporaryFolder(), "git");
  const path = await installAskpass(gitFolder);
  const { ino, mtimeMs, mode } = statSync(path);
  expect(mode & 0o777).toBe(0o700);
  await installAskpass(gitFolder);
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });

  const before = openSync(path, "r+");
  onTestFinished(() => closeSync(before));
  writeFileSync(path, "echo half");
  await installAskpass(gitFolder);
  expect(readFileSync(path, "utf8")).toContain("MILLRACE_GIT_PASSWORD");
  // Whoever reads the file that was there reads on in it: the new one took its place and did not overwrite it.
  expect(readFileSync(before, "utf8")).toBe("echo half");
  expect(readdirSync(gitFolder)).toEqual(["askpass"]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { clonedFrom, serveClones, WORKER_TOKEN, workerMirror } from "../../given/clone-server.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { GIT_ENVIRONMENT, repositoryWith, runGit } from "../../given/repository.ts";

const LIST = "/info/refs?service=git-upload-pack";
const never = () => new AbortController().signal;

const basic = (password: string) => `Basic ${Buffer.from(`x-access-token:${password}`).toString("base64")}`;

function ask(url: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { authorization: basic(WORKER_TOKEN), ...init.headers };
  return fetch(url, { ...init, headers });
}

function post(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return ask(`${url}/git-upload-pack`, {
    method: "POST",
    body,
    headers: { "content-type": "application/x-git-upload-pack-request", ...headers },
  });
}

/** A line of git's protocol. */
const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const wants = (commit: string) => `${line(`want ${commit} side-band-64k ofs-delta\n`)}0000${line("done\n")}`;

/** Git as a person who clones by hand, with the token in a header. */
async function gitAsWorker(cwd: string, ...args: string[]) {
  const header = `http.extraHeader=Authorization: ${basic(WORKER_TOKEN)}`;
  const git = spawn("git", ["-c", header, ...args], { cwd, env: GIT_ENVIRONMENT });
  const [said] = await Promise.all([text(git.stderr), text(git.stdout)]);
  return { status: git.exitCode ?? (await once(git, "exit"))[0], said };
}

test("no token and a wrong one are answered with a challenge for a password, and too many wrong ones with 429", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url);
  const without = await fetch(served.url + LIST);
  expect(without.status).toBe(401);
  expect(without.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
  const answers = [];
  for (let count = 0; count < 7; count += 1)
    answers.push((await fetch(served.url + LIST, { headers: { authorization: basic("wrong") } })).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect((await ask(served.url + LIST)).status).toBe(200);
});

test("a worker with a wrong token is told where its token is set", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url);
  const { mirror } = workerMirror(served.url, "mrw_wrong");
  await expect(mirror.refresh(never())).rejects.toThrow("--token-file");
});

test.each(["undecodable", basic(""), basic("two words"), "Basic %%%", "Digest abc"])(
  "the header %s is no token",
  async (authorization) => {
    const served = await serveClones(repositoryWith({ a: "1" }).url);
    expect((await fetch(served.url + LIST, { headers: { authorization } })).status).toBe(401);
    expect(served.asked).toEqual([]);
  },
);

test.each([
  "/home/acme/web/other.git/info/refs?service=git-upload-pack",
  "/elsewhere/acme/web/shop.git/info/refs?service=git-upload-pack",
  "/home/acme%2Fweb/shop.git/info/refs?service=git-upload-pack",
  "/home/acme/%2e%2e/web/shop.git/info/refs?service=git-upload-pack",
  "/home/acme/web/shop.git/HEAD",
  "/home/acme/web/shop.git/objects/info/packs",
  "/home/acme/web/%zz.git/info/refs?service=git-upload-pack",
  "/home/shop.git/info/refs?service=git-upload-pack",
])("a worker finds nothing at %s", async (path) => {
  const served = await serveClones(repositoryWith({ a: "1" }).url);
  const root = served.url.replace("/home/acme/web/shop.git", "");
  expect((await ask(root + path)).status).toBe(404);
});

test("a worker can neither push nor use the protocol for plain files", async () => {
  const repository = repositoryWith({ a: "1" });
  const served = await serveClones(repository.url);
  expect((await ask(`${served.url}/info/refs?service=git-receive-pack`)).status).toBe(403);
  expect((await ask(`${served.url}/info/refs`)).status).toBe(403);
  expect((await ask(`${served.url}/git-receive-pack`, { method: "POST", body: "0000" })).status).toBe(404);
  expect((await ask(served.url + LIST, { method: "HEAD" })).status).toBe(405);
  const clone = await clonedFrom(workerMirror(served.url).mirror);
  const pushed = await gitAsWorker(clone, "push", served.url, "HEAD:refs/heads/x");
  expect(pushed.said).toContain("read-only");
  expect(runGit(repository.url, "branch")).toBe("* main");
});

test("a commit that no ref reaches any more is refused, also in the newest version of the protocol", async () => {
  const repository = repositoryWith({ a: "1" });
  const first = repository.git("rev-parse", "HEAD");
  const lost = repository.push({ a: "secret" });
  const served = await serveClones(repository.url);
  await served.mirror.refresh(never());
  repository.reset(first);
  repository.push({ a: "3" }, { force: true });
  await ask(served.url + LIST);
  expect(await (await post(served.url, wants(lost))).text()).toContain(`not our ref ${lost}`);
  const into = temporaryFolder();
  runGit(into, "init", "--quiet");
  const fetched = await gitAsWorker(into, "-c", "protocol.version=2", "fetch", served.url, lost);
  expect(fetched.status).not.toBe(0);
  expect(runGit(into, "count-objects")).toMatch(/^0 objects/);
  const reached = await gitAsWorker(into, "fetch", served.url, "refs/heads/main");
  expect(reached.status).toBe(0);
});

test("the names under which a mirror stores what is no branch are not shown", async () => {
  const repository = repositoryWith({ a: "1" });
  repository.git("push", "--quiet", "origin", "HEAD:refs/pull/7/head");
  const served = await serveClones(repository.url);
  served.heads.push("refs/pull/7/head");
  const listed = await (await ask(served.url + LIST)).text();
  expect(listed).toContain("refs/pull/7/head");
  expect(listed).not.toContain("millrace");
  expect(listed).not.toContain(served.gitFolder);
});

test("a partial clone is refused, and a shallow one is served", async () => {
  const repository = repositoryWith({ a: "1" });
  repository.push({ a: "2" });
  const served = await serveClones(repository.url);
  const body = `${line(`want ${repository.git("rev-parse", "HEAD")} filter\n`)}${line("filter blob:none\n")}0000`;
  const answer = await (await post(served.url, body)).text();
  expect(answer).not.toContain("PACK");
  const into = join(temporaryFolder(), "shallow");
  const cloned = await gitAsWorker(temporaryFolder(), "clone", "--quiet", "--depth=1", served.url, into);
  expect(cloned).toEqual({ status: 0, said: "" });
  expect(runGit(into, "rev-list", "--count", "HEAD")).toBe("1");
  expect(readFileSync(join(into, "a"), "utf8")).toBe("2");
});

test("bodies that are no request of git's, damaged, too large or of another type are refused", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url, { limits: { bodyBytes: 1_000_000 } });
  await served.mirror.refresh(never());
  const status = async (body: string | Buffer, headers = {}) => {
    const answer = await post(served.url, body, headers);
    await answer.text();
    return answer.status;
  };
  const zipped = { "content-encoding": "gzip" };
  expect(await status("hello, git")).toBe(400);
  expect(await status("no gzip", zipped)).toBe(400);
  expect(await status(gzipSync("0000").subarray(0, 12), zipped)).toBe(400);
  expect(await status(gzipSync(line(`have ${"1".repeat(40)}\n`).repeat(100_000)), zipped)).not.toBe(200);
  expect(await status("0000", { "content-encoding": "br" })).toBe(400);
  expect(await status("0000", { "content-type": "text/plain" })).toBe(400);
  expect(await status(Buffer.alloc(17 * 1024 * 1024, "0"))).toBe(413);
  // Git itself sends this one, to see whether it is let in before it sends a large one.
  expect(await status("0000")).toBe(200);
  expect(await status(gzipSync("0000"), zipped)).toBe(200);
  expect(served.warnings).toEqual([]);
});

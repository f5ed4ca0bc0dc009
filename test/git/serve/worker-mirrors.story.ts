import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SourceError } from "../../../src/git/revision.ts";
import { newUid } from "../../../src/id.ts";
import { clonedFrom, serveClones, WORKER_TOKEN, workerMirror } from "../../given/clone-server.ts";
import { freePort } from "../../given/port.ts";
import { cuttingProxy } from "../../given/proxies.ts";
import { emptyRepository, type Repository, repositoryWith, runGit } from "../../given/repository.ts";

const never = () => new AbortController().signal;

/** Pushes a commit of its own to a ref, as forges do for the head of a pull request. */
function pushHead(repository: Repository, ref: string): string {
  repository.git("switch", "--quiet", "--detach");
  repository.git("commit", "--quiet", "--allow-empty", `--message=Head ${newUid()}`);
  const commit = repository.git("rev-parse", "HEAD");
  repository.git("push", "--quiet", "--force", "origin", `HEAD:${ref}`);
  repository.git("switch", "--quiet", "main");
  return commit;
}

test("a worker's clone has the files, the branches, the tags and the default branch that the forge has", async () => {
  const repository = repositoryWith({ a: "1" });
  repository.git("tag", "--annotate", "--message=First", "v1");
  repository.git("push", "--quiet", "origin", "v1");
  repository.push({ a: "2" }, { branch: "trunk" });
  runGit(repository.url, "symbolic-ref", "HEAD", "refs/heads/trunk");
  const served = await serveClones(repository.url);
  const { mirror, gitFolder } = workerMirror(served.url);
  const clone = await clonedFrom(mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("2");
  expect(runGit(clone, "branch", "--show-current")).toBe("trunk");
  expect(runGit(clone, "tag")).toBe("v1");
  const [name = ""] = readdirSync(join(gitFolder, "mirrors"));
  const refs = runGit(join(gitFolder, "mirrors", name), "for-each-ref");
  expect(refs).toBe(runGit(repository.url, "for-each-ref"));
  expect(served.asked[0]).toEqual({
    authorization: `Bearer ${WORKER_TOKEN}`,
    forge: "home",
    owner: "acme/web",
    name: "shop",
  });
});

test("a clone of an empty repository is empty, and has what is pushed later", async () => {
  const repository = emptyRepository();
  const served = await serveClones(repository.url);
  const { mirror } = workerMirror(served.url);
  expect(readdirSync(await clonedFrom(mirror))).toEqual([".git"]);
  repository.push({ a: "1" });
  expect(readFileSync(join(await clonedFrom(mirror), "a"), "utf8")).toBe("1");
});

test("a worker has what was pushed before it asks, also by force, and what was deleted is gone", async () => {
  const repository = repositoryWith({ a: "1" });
  repository.push({ a: "b" }, { branch: "old" });
  repository.git("reset", "--quiet", "--hard", "HEAD^");
  const served = await serveClones(repository.url);
  const { mirror } = workerMirror(served.url);
  const first = repository.git("rev-parse", "HEAD");
  repository.push({ a: "2" });
  await clonedFrom(mirror);
  repository.reset(first);
  repository.push({ a: "3" }, { force: true });
  repository.git("push", "--quiet", "origin", ":old");
  const clone = await clonedFrom(mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("3");
  expect(runGit(clone, "branch", "--remotes", "--format=%(refname:lstrip=3)").split("\n")).not.toContain(
    "old",
  );
});

test.each(["refs/pull/7/head", "refs/merge-requests/7/head", "refs/pull-requests/7/from"])(
  "a worker checks out %s, which no branch reaches",
  async (ref) => {
    const repository = repositoryWith({ a: "1" });
    const commit = pushHead(repository, ref);
    const served = await serveClones(repository.url);
    served.heads.push(ref);
    const { mirror } = workerMirror(served.url);
    await mirror.refresh(never());
    const clone = await clonedFrom(mirror, await mirror.find(ref, never()));
    expect(runGit(clone, "rev-parse", "HEAD")).toBe(commit);
    const later = pushHead(repository, ref);
    await mirror.fetchRef(ref, never());
    const again = await clonedFrom(mirror, { ref });
    expect(runGit(again, "rev-parse", "HEAD")).toBe(later);
  },
);

test("a worker finds a branch, a tag, a whole hash and the beginning of one, and is told when a ref is missing", async () => {
  const repository = repositoryWith({ a: "1" });
  const first = repository.git("rev-parse", "HEAD");
  repository.git("tag", "v1");
  repository.git("push", "--quiet", "origin", "v1");
  repository.push({ a: "2" });
  const served = await serveClones(repository.url);
  const { mirror } = workerMirror(served.url);
  await mirror.refresh(never());
  const find = (text: string) => mirror.find(text, never());
  expect(await find("main")).toEqual({ ref: "refs/heads/main", branch: "main" });
  expect(await find("v1")).toEqual({ ref: "refs/tags/v1" });
  expect(await find(first)).toEqual({ commit: first });
  expect(await find(first.slice(0, 9))).toEqual({ commit: first });
  await expect(find("no-such-branch")).rejects.toThrow('no branch, tag or commit "no-such-branch"');
  await expect(mirror.fetchRef("refs/pull/9/head", never())).rejects.toThrow("refs/pull/9/head");
});

test("a worker reads the files of the default branch without a clone", async () => {
  const served = await serveClones(repositoryWith({ "skills/a/SKILL.md": "# A", b: "2" }).url);
  const { mirror } = workerMirror(served.url);
  await mirror.refresh(never());
  const tree = await mirror.readHead(never(), ["skills"]);
  expect(tree.entries.map(({ path }) => path)).toEqual(["skills/a/SKILL.md"]);
  const [content] = (await tree.read(tree.entries)).values();
  expect(String(content)).toBe("# A");
});

test("nothing that was served is left on the disk of the server, and nothing was logged", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url);
  await clonedFrom(workerMirror(served.url).mirror);
  await expect.poll(() => readdirSync(join(served.gitFolder, "served"))).toEqual([]);
  expect(served.warnings).toEqual([]);
});

test("a worker waits for as long as the server fetches from the forge", async () => {
  const refreshes = { longestWaitMs: 20, timeLimitMs: 60_000, runningOfKey: 10 };
  const served = await serveClones(repositoryWith({ a: "1" }).url, { refreshes });
  const refresh = served.refresh;
  let finish = () => {};
  const forge = new Promise<void>((resolve) => {
    finish = resolve;
  });
  served.refresh = async (signal) => {
    await forge;
    await refresh(signal);
    served.refresh = async () => {};
  };
  const { mirror } = workerMirror(served.url);
  const clone = clonedFrom(mirror);
  await expect.poll(() => served.seen.map(({ status }) => status)).toContain(503);
  finish();
  expect(readFileSync(join(await clone, "a"), "utf8")).toBe("1");
});

test("a worker is told why the server cannot fetch from the forge", async () => {
  const repository = repositoryWith({ a: "1" });
  const served = await serveClones(repository.url);
  const { mirror } = workerMirror(served.url);
  await mirror.refresh(never());
  rmSync(repository.url, { recursive: true });
  await expect(mirror.refresh(never())).rejects.toThrow("The repository does not exist");
});

test("a failure that comes after the longest wait reaches the worker that asks again", async () => {
  const refreshes = { longestWaitMs: 20, timeLimitMs: 60_000, runningOfKey: 10 };
  const served = await serveClones(repositoryWith({ a: "1" }).url, { refreshes });
  let fail = (_error: Error) => {};
  const forge = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  served.refresh = () => forge;
  const { mirror } = workerMirror(served.url);
  const refreshed = mirror.refresh(never());
  refreshed.catch(() => {});
  await expect.poll(() => served.seen.map(({ status }) => status)).toContain(503);
  fail(new SourceError("GIT_UNREACHABLE", "The forge is away."));
  await expect(refreshed).rejects.toThrow("The forge is away");
});

test("a forced push between the list of refs and the fetch does not fail the worker's refresh", async () => {
  const repository = repositoryWith({ a: "1" });
  const first = repository.git("rev-parse", "HEAD");
  repository.push({ a: "2" });
  const served = await serveClones(repository.url);
  served.before = async (method) => {
    if (method !== "POST") return;
    served.before = async () => {};
    repository.reset(first);
    repository.push({ a: "3" }, { force: true });
    await served.mirror.refresh(never());
  };
  const clone = await clonedFrom(workerMirror(served.url).mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("3");
});

test("a worker tries again when the server's mirror is busy between the list of refs and the fetch", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url, { limits: { snapshotMs: 1 } });
  const { mirror } = workerMirror(served.url);
  const clone = clonedFrom(mirror);
  await expect.poll(() => served.seen.map(({ status }) => status)).toContain(503);
  served.limits.snapshotMs = 60_000;
  expect(readFileSync(join(await clone, "a"), "utf8")).toBe("1");
  await expect.poll(() => readdirSync(join(served.gitFolder, "served"))).toEqual([]);
});

test("a token is not sent to a server that is reached unencrypted over a network", async () => {
  const { mirror } = workerMirror("http://millrace.example.com/api/v1/workers/door/git/home/acme/shop.git");
  await expect(mirror.refresh(never())).rejects.toThrow("unencrypted");
});

test.each([
  ["refused the connection", []],
  ["cut the connection in the middle of the objects", [Number.POSITIVE_INFINITY, 20_000]],
])("a worker whose server %s asks again", async (_, cuts) => {
  const repository = repositoryWith({ a: randomBytes(100_000).toString("hex") });
  const served = await serveClones(repository.url);
  const port = await freePort();
  const { pathname } = new URL(served.url);
  const { mirror } = workerMirror(`http://127.0.0.1:${port}${pathname}`, undefined, repository.url);
  const cloning = clonedFrom(mirror);
  if (cuts.length === 0) await sleep(500);
  const proxy = await cuttingProxy(served.url, cuts, port);
  expect(readdirSync(await cloning)).toContain("a");
  expect(proxy.connections()).toBeGreaterThan(cuts.length);
});

test("a worker does not ask a server again that refuses it", async () => {
  const served = await serveClones(repositoryWith({ a: "1" }).url);
  const { mirror } = workerMirror(served.url.replace("shop.git", "other.git"), undefined, "https://forge");
  await expect(mirror.refresh(never())).rejects.toThrow("does not exist");
});

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clonedFrom, type ServedRepository, serveClones, workerMirror } from "../../given/clone-server.ts";
import { emptyRepository, type Repository, runGit } from "../../given/repository.ts";

const never = () => new AbortController().signal;
const FILES = 3_000;
const COMMITS = 400;

/** A repository with 3,000 files of incompressible text, and with history. */
function grownRepository(): Repository {
  const repository = emptyRepository();
  const files = Array.from({ length: FILES }, (_, index) => [
    `src/part-${index % 50}/file-${index}.txt`,
    randomBytes(1_000).toString("base64"),
  ]);
  repository.push(Object.fromEntries(files));
  const stream = Array.from({ length: COMMITS }, (_, index) => {
    const text = `Change ${index}`;
    const from = index === 0 ? "from refs/heads/main^0\n" : "";
    return `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + index} +0000\ndata ${text.length}\n${text}\n${from}M 100644 inline log-${index % 10}.txt\ndata ${text.length}\n${text}\n`;
  });
  execFileSync("git", ["-C", repository.url, "fast-import", "--quiet"], { input: stream.join("") });
  repository.git("pull", "--quiet", "origin", "main");
  return repository;
}

/** What a piece of work got from the server, in bytes and requests. */
async function costOf(served: ServedRepository, work: () => Promise<unknown>) {
  const before = served.seen.length;
  await work();
  await expect.poll(() => served.underWay).toBe(0);
  const requests = served.seen.slice(before);
  return { requests: requests.length, bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0) };
}

test("a worker clones 3,000 files with their history once, and then fetches only what is new", async () => {
  const repository = grownRepository();
  const served = await serveClones(repository.url);
  const { mirror, gitFolder } = workerMirror(served.url);
  const first = await costOf(served, () => mirror.refresh(never()));
  expect(first.bytes).toBeGreaterThan(FILES * 1_000);
  const clone = await clonedFrom(mirror);
  expect(readdirSync(join(clone, "src"))).toHaveLength(50);
  expect(runGit(clone, "ls-files").split("\n")).toHaveLength(FILES + 10);
  expect(Number(runGit(clone, "rev-list", "--count", "HEAD"))).toBe(COMMITS + 1);
  expect(runGit(clone, "fsck", "--strict")).not.toContain("error");

  const same = await costOf(served, () => mirror.refresh(never()));
  expect(same.bytes).toBeLessThan(10_000);

  repository.push({ "src/part-1/file-1.txt": "new" });
  const next = await costOf(served, () => mirror.refresh(never()));
  expect(next.bytes).toBeLessThan(20_000);
  expect(readFileSync(join(await clonedFrom(mirror), "src/part-1/file-1.txt"), "utf8")).toBe("new");

  const old = repository.git("rev-parse", "HEAD~200");
  repository.reset(old);
  const forced = repository.push({ other: "history" }, { force: true });
  const after = await costOf(served, () => mirror.refresh(never()));
  expect(after.bytes).toBeLessThan(20_000);
  const again = await clonedFrom(mirror);
  expect(runGit(again, "rev-parse", "HEAD")).toBe(forced);

  repository.git("push", "--quiet", "origin", "HEAD~3:refs/pull/7/head");
  served.heads.push("refs/pull/7/head");
  const head = await costOf(served, () => mirror.fetchRef("refs/pull/7/head", never()));
  expect(head.bytes).toBeLessThan(20_000);
  const [name = ""] = readdirSync(join(gitFolder, "mirrors"));
  runGit(join(gitFolder, "mirrors", name), "fsck");
});

test("a mirror of 5,000 branches is cloned, and its long request comes packed", async () => {
  const repository = emptyRepository();
  repository.push({ a: "1" });
  const stream = Array.from(
    { length: 5_000 },
    (_, index) =>
      `commit refs/heads/topic-${index}\ncommitter Ann <ann@example.com> ${1_700_000_000 + index} +0000\ndata 1\nx\nfrom refs/heads/main^0\n`,
  );
  execFileSync("git", ["-C", repository.url, "fast-import", "--quiet"], { input: stream.join("") });
  const served = await serveClones(repository.url);
  const { mirror, gitFolder } = workerMirror(served.url);
  await mirror.refresh(never());
  const [name = ""] = readdirSync(join(gitFolder, "mirrors"));
  const refs = runGit(join(gitFolder, "mirrors", name), "for-each-ref");
  expect(refs).toBe(runGit(repository.url, "for-each-ref"));
});

test("twenty mirrors of workers are made at the same time, while the repository changes", async () => {
  const repository = grownRepository();
  const served = await serveClones(repository.url);
  const clones = Array.from({ length: 20 }, () => clonedFrom(workerMirror(served.url).mirror));
  for (let count = 0; count < 5; count += 1) {
    repository.push({ changed: String(count) });
    await served.mirror.refresh(never());
  }
  for (const clone of await Promise.all(clones)) {
    expect(runGit(clone, "ls-files").split("\n").length).toBeGreaterThanOrEqual(FILES);
  }
  await expect.poll(() => readdirSync(join(served.gitFolder, "served"))).toEqual([]);
});

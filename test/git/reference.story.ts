import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositorySource } from "../../src/git/repository.ts";
import type { Reference } from "../../src/git/revision.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { filesWithoutEnd, rawObjects, repositoryWith } from "../given/repository.ts";

/** A repository with a branch beside its production branch, and the source that reads it. */
function given() {
  const origin = repositoryWith(FACTORY);
  const first = origin.git("rev-parse", "HEAD");
  const commit = origin.push({ "webhooks/ci.yaml": TOKEN_WEBHOOK }, { branch: "topic" });
  const gitFolder = temporaryFolder();
  const source = repositorySource({ url: origin.url, branch: "main", path: ".", access: {}, gitFolder });
  const read = async (reference: Reference) => {
    if (!source.at) throw new Error("a repository has places");
    return source.at(reference);
  };
  return { origin, first, commit, gitFolder, source, read };
}

const pathsOf = (tree: { entries: { path: string }[] }) => tree.entries.map(({ path }) => path);
const missing = { code: "GIT_REF_MISSING" };

describe("another place of a repository", () => {
  test("is a branch, a tag of either kind, a full name, or a commit, whole or shortened", async () => {
    const { origin, commit, read } = given();
    origin.git("tag", "light", commit);
    origin.git("tag", "--annotate", "--message=Release", "v1.0", commit);
    origin.git("push", "--quiet", "--tags", "origin");
    for (const ref of ["topic", "light", "v1.0", "refs/heads/topic", commit, commit.slice(0, 8)]) {
      const tree = await read({ ref });
      expect([ref, tree.revision.id]).toEqual([ref, commit]);
      expect(pathsOf(tree)).toContain("webhooks/ci.yaml");
    }
  });

  test("is the head of a pull request, by the names that hosts give it", async () => {
    const { origin, commit, read } = given();
    for (const [number, name] of ["pull/1/head", "merge-requests/2/head", "pull-requests/3/from"].entries()) {
      origin.git("push", "--quiet", "origin", `${commit}:refs/${name}`);
      expect((await read({ pullRequest: number + 1 })).revision.id).toBe(commit);
    }
    await expect(read({ pullRequest: 4 })).rejects.toMatchObject(missing);
  });

  test("is what merging a pull request would bring: one that is behind takes nothing away", async () => {
    const { origin, first, read } = given();
    origin.git("checkout", "--quiet", "-b", "request", first);
    const head = origin.push({ "webhooks/mine.yaml": TOKEN_WEBHOOK }, { branch: "request" });
    origin.git("push", "--quiet", "origin", `${head}:refs/pull/1/head`);
    origin.git("push", "--quiet", "origin", `${first}:refs/pull/2/head`);
    origin.git("checkout", "--quiet", "main");
    origin.push({ "webhooks/theirs.yaml": TOKEN_WEBHOOK });
    const tree = await read({ pullRequest: 1 });
    expect([tree.revision.id, tree.isUntouched]).toEqual([head, false]);
    expect(pathsOf(tree)).toEqual(expect.arrayContaining(["webhooks/mine.yaml", "webhooks/theirs.yaml"]));
    const untouched = await read({ pullRequest: 2 });
    expect([untouched.revision.id, untouched.isUntouched]).toEqual([first, true]);
  });

  test("cannot be a pull request that conflicts with the branch, or has no history in common with it", async () => {
    const { origin, first, read } = given();
    origin.git("checkout", "--quiet", "-b", "request", first);
    origin.push({ "agents/boss/agent.md": "Mine.\n" }, { branch: "request" });
    origin.git("push", "--quiet", "origin", "HEAD:refs/pull/1/head");
    origin.git("checkout", "--quiet", "--orphan", "stranger");
    origin.push({ "README.md": "Hello.\n" }, { branch: "stranger" });
    origin.git("push", "--quiet", "origin", "HEAD:refs/pull/2/head");
    origin.git("checkout", "--quiet", "main");
    origin.push({ "agents/boss/agent.md": "Theirs.\n" });
    await expect(read({ pullRequest: 1 })).rejects.toMatchObject({
      code: "GIT_CONFLICT",
      message: expect.stringContaining("agents/boss/agent.md"),
    });
    await expect(read({ pullRequest: 2 })).rejects.toMatchObject({
      code: "GIT_CONFLICT",
      message: expect.stringContaining("no history in common"),
    });
  });

  test("cannot be a pull request with so many files that merging it would take all memory", async () => {
    const { origin, first, read } = given();
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n}\n`).join("");
    origin.reset(first);
    const base = origin.push({ "notes.txt": lines });
    // Git looks for the renamed file in all that the pull request adds.
    origin.push({ "notes.txt": `${lines}more\n` });
    const raw = rawObjects(origin);
    const signed = "author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nChange\n";
    const tree = raw.tree([["d", { tree: filesWithoutEnd(raw) }]]);
    raw.rawCommit(tree, `parent ${base}\n${signed}`, "refs/pull/1/head");
    await expect(read({ pullRequest: 1 })).rejects.toMatchObject({
      code: "GIT_REFUSED",
      message: expect.stringMatching(/more than 1000000 files/),
    });
  });

  test("is merged without a driver or a filter that the pull request asks for", async () => {
    const { origin, first, read } = given();
    const mark = join(temporaryFolder(), "ran");
    origin.git("checkout", "--quiet", "-b", "request", first);
    origin.push(
      {
        ".gitattributes": "* merge=evil filter=evil\n",
        ".gitconfig": `[merge "evil"]\n\tdriver = touch ${mark}\n[filter "evil"]\n\tsmudge = touch ${mark}\n`,
        "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do the work.\nMine.\n",
      },
      { branch: "request" },
    );
    origin.git("push", "--quiet", "origin", "HEAD:refs/pull/1/head");
    origin.git("checkout", "--quiet", "main");
    origin.push({ "agents/boss/agent.md": "---\nagentType: FOREMAN\nskills: []\n---\nYou do the work.\n" });
    await read({ pullRequest: 1 }).catch(() => {});
    expect(existsSync(mark)).toBe(false);
  });

  test("that moves is read where it is now, and the production branch stays where it was", async () => {
    const { origin, first, source, read } = given();
    await read({ ref: "topic" });
    const moved = origin.push({ "webhooks/b.yaml": TOKEN_WEBHOOK }, { branch: "topic" });
    expect((await read({ ref: "topic" })).revision.id).toBe(moved);
    expect((await source.latest()).revision.id).toBe(first);
  });

  test("leaves no name in the mirror", async () => {
    const { gitFolder, read } = given();
    await read({ ref: "topic" });
    const mirror = readdirSync(gitFolder).find((name) => name.endsWith(".git")) ?? "";
    const names = execFileSync("git", ["-C", join(gitFolder, mirror), "for-each-ref"], { encoding: "utf8" });
    expect(names).not.toContain("millrace/plan");
  });

  test.each([
    "nowhere",
    "0123456789abcdef0123456789abcdef01234567",
    "abcdef0",
    "--upload-pack=touch /tmp/x",
    "-x",
    "refs/heads/*",
    "topic^{tree}",
    "topic~1",
    "a..b",
    "../../etc",
    "ext::sh -c id",
    "a\nb",
    "topic.lock",
    "@{-1}",
  ])("cannot be %j", async (ref) => {
    await expect(given().read({ ref })).rejects.toMatchObject(missing);
  });

  test("cannot be an object that is not a commit", async () => {
    const { origin, read } = given();
    const blob = origin.git("rev-parse", "HEAD:factory.yaml");
    origin.git("push", "--quiet", "origin", `${blob}:refs/tags/file`);
    await expect(read({ ref: "file" })).rejects.toMatchObject(missing);
    await expect(read({ ref: blob })).rejects.toMatchObject(missing);
  });
});

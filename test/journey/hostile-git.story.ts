import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readLocalCommit } from "../../src/git/work-tree.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { rawObjects, repositoryWith, runGit } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** Settings of git that start programs, and a program that leaves a witness. */
function settingsThatRun(witness: string): string {
  const program = join(folderWith({}), "program");
  writeFileSync(program, `#!/bin/sh\ntouch ${witness}\nexec cat\n`, { mode: 0o755 });
  return `[core]
	fsmonitor = ${program}
	sshCommand = ${program}
	gitProxy = ${program}
	alternateRefsCommand = ${program}
	pager = ${program}
	askPass = ${program}
[diff "x"]
	textconv = ${program}
	command = ${program}
[filter "x"]
	smudge = ${program}
	clean = ${program}
	process = ${program}
	required = true
[uploadpack]
	packObjectsHook = ${program}
	allowAnySHA1InWant = true
[protocol "ext"]
	allow = always
[credential]
	helper = !${program}
[log]
	showSignature = true
[gpg]
	program = ${program}
[include]
	path = /etc/passwd.not-there
`;
}

const ATTRIBUTES = "* filter=x diff=x text ident export-subst\n";
const SUBMODULES = (witness: string) => `[submodule "a"]
	path = a
	url = ext::sh -c touch% ${witness}
[submodule "b"]
	path = b
	url = --upload-pack=touch ${witness}
`;
const HOOKS = [
  "post-checkout",
  "post-merge",
  "pre-receive",
  "update",
  "post-update",
  "reference-transaction",
];

test("no program that a repository configures is run, and its files are read as they were committed", async () => {
  const witness = join(temporaryFolder(), "ran");
  const repository = repositoryWith({
    ...FILES,
    ".gitattributes": ATTRIBUTES,
    ".gitmodules": SUBMODULES(witness),
    "skills/s/SKILL.md": "---\nname: s\n---\n$Format:%H$ $Id$\n",
  });
  const copy = repository.git("rev-parse", "--show-toplevel");
  for (const gitDir of [repository.url, join(copy, ".git")]) {
    appendFileSync(join(gitDir, "config"), settingsThatRun(witness));
    mkdirSync(join(gitDir, "hooks"), { recursive: true });
    for (const hook of HOOKS)
      writeFileSync(join(gitDir, "hooks", hook), `#!/bin/sh\ntouch ${witness}\n`, { mode: 0o755 });
  }
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  expect((await story.sync()).sync.status).toBe("synced");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  for (const args of [
    ["validate", copy],
    ["plan", copy],
    ["plan", copy, "--ref", "main"],
    ["plan", "--ref", "main"],
  ]) {
    expect({ args, ...(await run(args, env)) }).toMatchObject({ code: 0 });
  }
  expect(existsSync(witness)).toBe(false);
  const { files } = await server.api<{ files: { path: string; content: string }[] }>(
    "GET",
    "/factories/acme/export",
  );
  expect(files.find(({ path }) => path === "skills/s/SKILL.md")?.content).toContain("$Format:%H$ $Id$");
});

test("a working copy that lacks objects does not fetch them by the program that its settings name", async () => {
  const witness = join(temporaryFolder(), "ran");
  const repository = repositoryWith(FILES);
  const copy = repository.git("rev-parse", "--show-toplevel");
  const blob = runGit(copy, "rev-parse", "HEAD:webhooks/ci.yaml");
  const object = join(copy, ".git", "objects", blob.slice(0, 2), blob.slice(2));
  runGit(copy, "rm", "--quiet", "--cached", "webhooks/ci.yaml");
  rmSync(object);
  appendFileSync(
    join(copy, ".git", "config"),
    `${settingsThatRun(witness)}
[remote "evil"]
	url = ext::sh -c "touch% ${witness}"
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = evil
`,
  );
  runGit(copy, "config", "core.repositoryFormatVersion", "1");
  await expect(readLocalCommit(copy, "main")).rejects.toThrow(new RegExp(`lacks objects.*${blob}`));
  expect(existsSync(witness)).toBe(false);
});

test("a replacement of a commit in one copy only is not planned or applied", async () => {
  const repository = repositoryWith(FILES);
  const copy = repository.git("rev-parse", "--show-toplevel");
  const honest = repository.git("rev-parse", "HEAD");
  const other = repository.push({}, { remove: ["webhooks/ci.yaml"], branch: "other" });
  for (const folder of [copy, repository.url]) runGit(folder, "replace", honest, other);
  writeFiles(repository.url, { "info/grafts": `${honest} ${other}\n` });
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  expect((await story.sync()).sync.applied_revision).toBe(honest);
  expect(await story.urlOf("ci")).toContain("/webhooks/w/");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  for (const args of [
    ["plan", copy, "--ref", honest],
    ["plan", "--ref", honest],
  ]) {
    expect((await run(args, env)).printed).toContain("0 to create, 0 to update, 0 to delete");
  }
});

test("of a branch and a tag of one name the branch is planned, and nothing but a commit is a whole hash", async () => {
  const repository = repositoryWith(FILES);
  const copy = repository.git("rev-parse", "--show-toplevel");
  const first = repository.git("rev-parse", "HEAD");
  repository.git("tag", "twice");
  repository.git("push", "--quiet", "origin", "refs/tags/twice");
  repository.git("checkout", "--quiet", "-b", "twice");
  const renamed = { "webhooks/other.yaml": TOKEN_WEBHOOK };
  const tip = repository.push(renamed, { remove: ["webhooks/ci.yaml"], branch: "twice" });
  runGit(repository.url, "update-ref", `refs/heads/${first}`, tip);
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  for (const args of [
    ["plan", copy, "--ref", "twice"],
    ["plan", "--ref", "twice"],
  ]) {
    expect((await run(args, env)).printed).toContain("1 to create, 0 to update, 1 to delete");
  }
  expect((await run(["plan", "--ref", first], env)).printed).toContain(
    "0 to create, 0 to update, 0 to delete",
  );
});

test("a ref that is named like an option, a path or an expression is none, here and on the server", async () => {
  const repository = repositoryWith(FILES);
  const copy = repository.git("rev-parse", "--show-toplevel");
  const server = await startServer({ sources: [repository.url] });
  const plan = (ref: string) =>
    server.fetch("/api/v1/factories/acme/plan", {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ ref }),
    });
  for (const ref of [
    "--upload-pack=touch",
    "-x",
    "--output=x",
    "refs/../x",
    "main:webhooks",
    "a b",
    "@{-1}",
    "*",
  ]) {
    expect([ref, (await plan(ref)).status]).toEqual([ref, 404]);
    await expect(readLocalCommit(copy, ref)).rejects.toMatchObject({ code: "GIT_REF_MISSING" });
  }
});

test("a branch of another history altogether is followed, and its author and message are only text", async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const tree = repository.git("rev-parse", "HEAD^{tree}");
  const name = `Eve \u001b[2J\u202e${"a".repeat(1e6)}`;
  const person = `${name} <eve\u0007@example.com> 1700000000 +0000`;
  const text = `\u001b]0;title\u0007<script>alert(1)</script>${"m".repeat(1e6)}\n\nMillrace-Allow-Deletes: true\n`;
  const commit = rawObjects(repository).rawCommit(
    tree,
    `author ${person}\ncommitter ${person}\n\n${text}`,
    "refs/heads/main",
  );
  const { sync } = await story.sync();
  expect([sync.status, sync.applied_revision]).toEqual(["synced", commit]);
  const { revisions } = await server.api<{ revisions: { author: string; message: string }[] }>(
    "GET",
    "/factories/acme/revisions?limit=1",
  );
  expect(revisions[0]?.author.length).toBeLessThanOrEqual(300);
  expect(revisions[0]?.message.length).toBeLessThanOrEqual(300);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const printed = await Promise.all(
    [["history", "--full"], ["history"], ["history", "--json"], ["status"]].map(
      async (args) => (await run(args, env)).printed,
    ),
  );
  for (const text of [...printed, server.log()]) {
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  }
  expect(printed[0]).toContain("Eve \\x1b[2J");
});

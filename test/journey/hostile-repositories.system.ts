import { expect, test } from "vitest";
import { loadDefinition } from "../../src/definitions/loading/load.ts";
import type { Problem } from "../../src/definitions/problem.ts";
import { readLocalCommit } from "../../src/git/work-tree.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";
import {
  filesWithoutEnd,
  type RawEntry,
  type RawObjects,
  rawObjects,
  repositoryWith,
} from "../given/repository.ts";
import { startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

type Told = Pick<Problem, "message" | "path" | "line"> & { code: string };
type Entries = (readonly [name: string | Buffer, entry: RawEntry])[];

const FILES: Files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** A server of a repository whose webhook is active. */
const shared = sharedByFile(async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  const { sync } = await story.sync();
  expect(sync.status).toBe("synced");
  return { repository, server, story, url: await story.urlOf("ci"), raw: rawObjects(repository) };
});

/** The problems that each way of looking at a commit tells of, on its way into a repository. */
async function toldEverywhere(tree: string): Promise<Told[][]> {
  const { repository, server, story, raw } = shared();
  const commit = raw.commit(tree, "refs/heads/hostile");
  raw.commit(tree, "refs/pull/1/head");
  raw.commit(tree, "refs/heads/main");
  // As `plan DIR --ref` does, before anything is sent.
  const local = await loadDefinition(await readLocalCommit(repository.url, commit), "origin");
  const plan = async (body: object) =>
    (await server.api<{ problems: Told[] }>("POST", "/factories/acme/plan", body)).problems;
  const branch = await plan({ ref: "hostile" });
  const pullRequest = await plan({ pull_request: 1 });
  const { sync } = await story.sync();
  expect([sync.status, sync.attempted_revision]).toEqual(["failed", commit]);
  return [local.problems, branch, pullRequest, sync.problems];
}

/** A tree with the definition in it, and more. */
function treeWith(raw: RawObjects, root: Entries, webhooks: Entries = []): string {
  const boss = raw.tree([["agent.md", FILES["agents/boss/agent.md"] ?? ""]]);
  return raw.tree([
    ["agents", { tree: raw.tree([["boss", { tree: boss }]]) }],
    ["factory.yaml", FILES["factory.yaml"] ?? ""],
    ["webhooks", { tree: raw.tree([["ci.yaml", TOKEN_WEBHOOK], ...webhooks]) }],
    ...root,
  ]);
}

const yaml =
  (text: string | Buffer, name = "x.yaml") =>
  (raw: RawObjects) =>
    treeWith(raw, [], [[name, text]]);
const below = (folder: string) => (raw: RawObjects) =>
  treeWith(raw, [[folder, { tree: raw.tree([["config", "x"]]) }]]);

function bomb(raw: RawObjects): string {
  return treeWith(raw, [["zzz", { tree: filesWithoutEnd(raw) }]]);
}

const manyFiles: Entries = Array.from({ length: 100_000 }, (_, index) => [`w${index}.yaml`, TOKEN_WEBHOOK]);
const aliases = `a: &a [x, x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*a, *a]\n`).join("")}`;

test.each<[name: string, make: (raw: RawObjects) => string, code: string, path: string, says: RegExp]>([
  [
    "a path out of the tree",
    below(".."),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /"\.\.\/config" points outside/,
  ],
  [
    "an absolute path",
    below("/etc"),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /"\/etc\/config" points outside/,
  ],
  ["a folder of git itself", below(".GIT"), "FF_UNSUPPORTED_PATH", "factory.yaml", /into the \.git folder/],
  [
    "what Windows takes for it",
    below("GIT~1"),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /into the \.git folder/,
  ],
  [
    "what a Mac takes for it",
    below(".g\u200cit"),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /into the \.git folder/,
  ],
  [
    "a path that is there twice",
    (raw) => treeWith(raw, [["webhooks/ci.yaml", "secretName: OTHER\n"]]),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /"webhooks\/ci\.yaml" is listed twice/,
  ],
  [
    "a path of backslashes",
    (raw) => treeWith(raw, [["webhooks\\x.yaml", TOKEN_WEBHOOK]]),
    "FF_UNSUPPORTED_PATH",
    "webhooks\\x.yaml",
    /expected webhooks\/x\.yaml/,
  ],
  [
    "a name with a backslash",
    yaml("", "a\\b.yaml"),
    "FF_UNSUPPORTED_PATH",
    "webhooks/a\\b.yaml",
    /without \\/,
  ],
  [
    "a name that colours",
    yaml("", "\u001b[31m.yaml"),
    "FF_UNSUPPORTED_PATH",
    "webhooks/\u001b[31m.yaml",
    /printable/,
  ],
  [
    "a name that turns round",
    yaml("", "\u202ely.yaml"),
    "FF_UNSUPPORTED_PATH",
    "webhooks/\u202ely.yaml",
    /printable/,
  ],
  [
    "a name that is not UTF-8",
    (raw) => treeWith(raw, [], [[Buffer.from("caf\xe9.yaml", "latin1"), TOKEN_WEBHOOK]]),
    "FF_UNSUPPORTED_PATH",
    "webhooks/caf\ufffd.yaml",
    /in UTF-8/,
  ],
  [
    "a name of a million characters",
    yaml("", "n".repeat(1e6)),
    "FF_UNSUPPORTED_PATH",
    "factory.yaml",
    /longer/,
  ],
  [
    "a link to a file of the machine",
    (raw) => treeWith(raw, [], [["x.yaml", { link: "/etc/passwd" }]]),
    "FF_INVALID_DOCUMENT",
    "webhooks/x.yaml",
    /symbolic link/,
  ],
  [
    "a link to itself",
    (raw) => treeWith(raw, [], [["x.yaml", { link: "x.yaml" }]]),
    "FF_INVALID_DOCUMENT",
    "webhooks/x.yaml",
    /symbolic link/,
  ],
  [
    "a link for a folder",
    (raw) => treeWith(raw, [["automations", { link: "../../etc" }]]),
    "FF_INVALID_DOCUMENT",
    "automations",
    /symbolic link/,
  ],
  [
    "a submodule for a folder",
    (raw) => treeWith(raw, [["automations", { submodule: "1".repeat(40) }]]),
    "FF_INVALID_DOCUMENT",
    "automations",
    /submodule/,
  ],
  [
    "100,000 webhooks",
    (raw) => treeWith(raw, [], manyFiles),
    "FF_INVALID_DOCUMENT",
    "factory.yaml",
    /more than 10000 files/,
  ],
  [
    "100,000 files next to it",
    (raw) => treeWith(raw, [["zzz", { tree: raw.tree(manyFiles) }]]),
    "FF_INVALID_DOCUMENT",
    "factory.yaml",
    /more than 10000 files/,
  ],
  ["ten billion files in a few bytes", bomb, "FF_INVALID_DOCUMENT", "factory.yaml", /more than 10000 files/],
  [
    "70 MB of a file that nobody asked for",
    (raw) => treeWith(raw, [["zzz", Buffer.alloc(70e6)]]),
    "FF_INVALID_DOCUMENT",
    "factory.yaml",
    /the files total 67 MiB/,
  ],
  [
    "a webhook of 10 MB",
    yaml("x".repeat(1e7)),
    "FF_INVALID_DOCUMENT",
    "webhooks/x.yaml",
    /is 10000000 bytes/,
  ],
  [
    "a front matter of 10 MB",
    (raw) =>
      treeWith(raw, [["automations", { tree: raw.tree([["a.md", `---\n${"a: b\n".repeat(2e6)}---\n`]]) }]]),
    "FF_INVALID_DOCUMENT",
    "automations/a.md",
    /is 10000008 bytes/,
  ],
  [
    "10,000 levels",
    yaml(`a: ${"[".repeat(10_000)}`),
    "FF_INVALID_YAML",
    "webhooks/x.yaml",
    /more than 64 levels/,
  ],
  [
    "10,000 levels of blocks",
    yaml("- ".repeat(10_000)),
    "FF_INVALID_YAML",
    "webhooks/x.yaml",
    /more than 64 levels/,
  ],
  ["aliases that multiply", yaml(aliases), "FF_ALIAS", "webhooks/x.yaml", /write out the value/],
  [
    "bytes that are no UTF-8",
    yaml(Buffer.from([0xff, 0xfe])),
    "FF_INVALID_DOCUMENT",
    "webhooks/x.yaml",
    /not UTF-8/,
  ],
  ["a NUL", yaml("secretName: a\0b\n"), "FF_INVALID_DOCUMENT", "webhooks/x.yaml", /NUL/],
  [
    "a pointer of LFS",
    yaml(`version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12\n`),
    "FF_INVALID_DOCUMENT",
    "webhooks/x.yaml",
    /Git LFS pointer.*commit the file itself/,
  ],
])(
  "%s is a problem in every plan and after a push, and the active definition stays",
  async (_, make, code, path, says) => {
    const { story, url, raw } = shared();
    for (const problems of await toldEverywhere(make(raw))) {
      expect(problems.map((problem) => [problem.code, problem.path])).toContainEqual([code, path]);
      expect(problems.find((problem) => problem.code === code && problem.path === path)?.message).toMatch(
        says,
      );
      expect(problems.every(({ line }) => line >= 1)).toBe(true);
    }
    expect((await story.deliver(url, "x", "{}")).status).toBe(202);
  },
);

import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { managedRepository } from "../../../src/git/managed/managed-repository.ts";
import { temporaryFolder } from "../../given/folder.ts";

const AUTHOR = "ann <ann@example.com>";

/** A new repository, with a way to commit one file on what was committed last. */
async function committing() {
  const path = join(temporaryFolder(), "kept.git");
  const at = new Date("2026-11-22T00:00:00Z");
  const source = managedRepository({ path, firstMessage: "Begin", now: () => at });
  const branch = source.branch;
  if (!branch) throw new Error("a repository of one's own has a branch");
  let parent = await branch.settle(null);
  return {
    path,
    async commit(file: string, content: string, message = `Add ${file}`) {
      const edits = [{ path: file, content: Buffer.from(content) }];
      const tree = await branch.commit({ parent, edits, author: AUTHOR, message, at });
      await branch.advance(parent, tree.revision.id);
      parent = tree.revision.id;
      return tree;
    },
  };
}

test("committed content is read from the repository: memory holds no content of edits", async () => {
  const { path, commit } = await committing();
  await commit("first", "1");
  const { entries, read } = await commit("second", "2");
  expect(entries.map((entry) => entry.path)).toEqual(["first", "second"]);
  const contents = await read(entries);
  expect(entries.map(({ id }) => contents.get(id)?.toString())).toEqual(["1", "2"]);

  renameSync(path, `${path}.gone`);
  await expect(read(entries)).rejects.toThrow();
});

test("trailers are read from the commit itself, not from the one that it was made on", async () => {
  const { commit } = await committing();
  await commit("first", "1");
  const second = await commit("second", "2", "Add second\n\nSeen: yes");
  expect(await second.trailers?.("Seen", null)).toEqual(["yes"]);
});

test("locks and drafts that a power failure left do not prevent the next write", async () => {
  const { path, commit } = await committing();
  const first = await commit("first", "1");
  const locks = ["HEAD.lock", "refs/heads/main.lock", "refs/millrace/edit.lock"].map((name) =>
    join(path, name),
  );
  const draft = `${path}.new-left`;
  for (const file of [...locks, draft]) writeFileSync(file, "");
  const branch = managedRepository({ path, firstMessage: "Begin", now: () => new Date() }).branch;
  expect(await branch?.settle(first.revision.id)).toBe(first.revision.id);
  const next = await branch?.commit({
    parent: first.revision.id,
    edits: [],
    author: AUTHOR,
    message: "Go on",
    at: new Date(),
  });
  await branch?.advance(first.revision.id, next?.revision.id ?? "");
  expect([...locks, draft].filter(existsSync)).toEqual([]);
});

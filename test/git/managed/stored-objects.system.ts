import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { managedRepository } from "../../../src/git/managed/managed-repository.ts";
import { storedObjects } from "../../../src/git/managed/stored-objects.ts";
import { newUuid } from "../../../src/id.ts";
import { aFactory, applyTo } from "../../given/factory.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { runGit } from "../../given/repository.ts";
import { AT, aStore } from "../../given/store.ts";

type Store = Awaited<ReturnType<typeof aStore>>;

const AUTHOR = "ann <ann@example.com>";
const at = new Date(AT);

/** The repository of a factory on one server of a store. */
function onServer(store: Store, uid: string, path = join(temporaryFolder(), "kept.git")) {
  const objects = storedObjects(uid, store.gitObjects);
  const source = managedRepository({ path, firstMessage: "Begin", now: () => at, objects });
  const { branch } = source;
  if (!branch) throw new Error("a managed repository has a branch");
  /** Brings a commit into force, as far as the store has to do with it. */
  const apply = async (commit: string, since: string | null) => {
    const history = await branch.history(commit, since);
    await applyTo(store.factories, uid, {
      id: newUuid(),
      revision: { id: commit, author: undefined, message: undefined },
      at: AT,
      problems: [],
      factoryName: "acme",
      alias: undefined,
      changes: [],
      newUids: {},
      credentials: [],
      reason: "edit",
      principal: null,
      suspends: false,
      ...(history && { history }),
    });
    return history;
  };
  return {
    path,
    source,
    branch,
    async begin() {
      const first = await branch.settle(null);
      await apply(first, null);
      return first;
    },
    async commit(applied: string, file: string, content = file) {
      const parent = await branch.settle(applied);
      const edits = [{ path: file, content: Buffer.from(content) }];
      const { revision } = await branch.commit({ parent, edits, author: AUTHOR, message: `Add ${file}`, at });
      const history = await apply(revision.id, parent);
      await branch.advance(parent, revision.id);
      return { commit: revision.id, history };
    },
    log: () => runGit(path, "log", "--format=%H %s", "main").split("\n"),
  };
}

async function begun() {
  const store = await aStore();
  const { uid } = await store.factories.create({ ...aFactory("acme"), mode: "managed" });
  const server = onServer(store, uid);
  return { store, uid, server, first: await server.begin() };
}

test("a commit brings only the objects that are new with it", async () => {
  const { server, first } = await begun();
  const { commit } = await server.commit(first, "skills/a/one");
  const { history } = await server.commit(commit, "skills/a/two");
  expect(history?.objects.map(({ type }) => type).sort()).toEqual(["blob", "commit", "tree", "tree", "tree"]);
});

test("an edit whose paths are known brings the same objects, whatever the paths are called", async () => {
  const { server, first } = await begun();
  const { commit } = await server.commit(first, "skills/only one/naïve: file");
  const edits = [
    { path: "skills/only one/naïve: file", content: null },
    { path: "skills/other/^{tree}", content: Buffer.from("2"), executable: true },
    { path: 'skills/other/"quoted"', content: Buffer.from("3") },
  ];
  const { revision } = await server.branch.commit({
    parent: commit,
    edits,
    author: AUTHOR,
    message: "Edit",
    at,
  });
  const idsOf = async (paths?: string[]) =>
    (await server.branch.history(revision.id, commit, paths))?.objects.map(({ id }) => id).sort();
  const ids = await idsOf();
  expect(ids).toHaveLength(6);
  expect(await idsOf(edits.map(({ path }) => path))).toEqual(ids);
});

describe("a repository", () => {
  test("that is gone is made again with the same commits, and edits go on from them", async () => {
    const { server, first } = await begun();
    const { commit } = await server.commit(first, "one");
    const before = server.log();
    rmSync(server.path, { recursive: true });
    expect(await server.branch.settle(commit)).toBe(commit);
    expect(server.log()).toEqual(before);
    runGit(server.path, "fsck", "--full", "--strict");
    await server.commit(commit, "two");
    expect(server.log()).toEqual([expect.stringContaining("Add two"), ...before]);
  });

  test.each<[string, (path: string) => void]>([
    ["lacks objects", (path) => rmSync(join(path, "objects"), { recursive: true })],
    ["has no HEAD", (path) => rmSync(join(path, "HEAD"))],
    ["has an empty branch", (path) => truncateSync(join(path, "refs/heads/main"))],
    [
      "has objects with other bytes",
      (path) => {
        for (const name of readdirSync(join(path, "objects")).filter((folder) => folder.length === 2))
          for (const object of readdirSync(join(path, "objects", name))) {
            rmSync(join(path, "objects", name, object));
            writeFileSync(join(path, "objects", name, object), "no object");
          }
      },
    ],
  ])("that %s is made again, and the damaged one is set aside", async (_, damage) => {
    const { store, uid, server, first } = await begun();
    const { commit } = await server.commit(first, "one");
    const before = server.log();
    damage(server.path);
    const again = onServer(store, uid, server.path);
    expect(await again.branch.settle(commit)).toBe(commit);
    const tree = await again.source.latest();
    const contents = await tree.read(tree.entries);
    expect([...contents.values()].map(String)).toEqual(["one"]);
    expect(again.log()).toEqual(before);
    expect(readdirSync(join(server.path, ".."))).toContain("kept.git.damaged");
  });

  test("that is whole is not made again when something is asked for that it never had", async () => {
    const { server } = await begun();
    await expect(server.source.past("f".repeat(40))).rejects.toMatchObject({ code: "GIT_REVISION_MISSING" });
    expect(readdirSync(join(server.path, ".."))).toEqual(["kept.git"]);
  });

  test("gets what another server has committed, and the other way round", async () => {
    const { store, uid, server: one, first } = await begun();
    const other = onServer(store, uid);
    const { commit: second } = await one.commit(first, "one");
    const { commit: third } = await other.commit(second, "two");
    const { commit: fourth } = await one.commit(third, "three");
    expect(await other.branch.settle(fourth)).toBe(fourth);
    expect(one.log()).toEqual(other.log());
    expect(one.log().map((line) => line.slice(41))).toEqual(["Add three", "Add two", "Add one", "Begin"]);
  });

  test("gives up its own first commit for the one that came into force", async () => {
    const { store, uid, first } = await begun();
    const path = join(temporaryFolder(), "kept.git");
    const late = { path, firstMessage: "Begin too", now: () => new Date(0) };
    await managedRepository(late).branch?.settle(null);
    const other = onServer(store, uid, path);
    expect(await other.branch.settle(first)).toBe(first);
    expect(other.log()).toEqual([`${first} Begin`]);
  });

  test("of an earlier version is taken in once, and is in the store from then on", async () => {
    const { store, uid, server, first } = await begun();
    const { commit } = await server.commit(first, "one");
    const before = server.log();
    await store.connection.run("DELETE FROM git_objects");
    await store.connection.run("DELETE FROM managed_heads");
    const again = onServer(store, uid, server.path);
    await again.branch.settle(commit);
    await again.branch.settle(commit);
    expect(await store.connection.all("SELECT number FROM managed_heads")).toEqual([{ number: 1 }]);
    rmSync(server.path, { recursive: true });
    await again.branch.settle(commit);
    expect(again.log()).toEqual(before);
  });

  test("with a long history that was pushed is stored whole, piece by piece", async () => {
    const { store, uid, server, first } = await begun();
    let parent = first;
    for (let n = 0; n < 60; n += 1) {
      const edits = [{ path: `skills/a/${n}`, content: Buffer.from(`${n}`) }];
      const tree = await server.branch.commit({ parent, edits, author: AUTHOR, message: `Add ${n}`, at });
      parent = tree.revision.id;
    }
    const history = await server.branch.history(parent, first);
    expect(history?.objects.length).toBeLessThan(256);
    const stored = await store.connection.first<{ count: number }>(
      "SELECT COUNT(*) AS count FROM git_objects",
    );
    expect((stored?.count ?? 0) + (history?.objects.length ?? 0)).toBe(2 + 60 * 5);
    expect(await store.gitObjects.findHead(uid, parent)).toBeUndefined();
  });
});

test("the deletion of a factory deletes its objects, and no other's", async () => {
  const { store, uid } = await begun();
  const { uid: otherUid } = await store.factories.create({ ...aFactory("other"), mode: "managed" });
  const other = onServer(store, otherUid);
  await other.branch.settle(null);
  const first = await other.branch.settle(null);
  await store.gitObjects.keepObjects(otherUid, (await other.branch.history(first, null))?.objects ?? []);
  await store.gitObjects.keepHead(otherUid, first);
  await store.factoryDeletions.remove(uid, AT);
  const left = await store.connection.all("SELECT DISTINCT factory_uid FROM git_objects");
  expect(left).toEqual([{ factory_uid: otherUid }]);
});

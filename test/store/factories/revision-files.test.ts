import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { compareFiles } from "../../../src/reconcile/apply.ts";
import type { Application } from "../../../src/reconcile/factory.ts";
import { treeOf } from "../../given/definition.ts";
import { aFactory, anApplication, applyTo } from "../../given/factory.ts";
import type { Files } from "../../given/folder.ts";
import { AT, aStore } from "../../given/store.ts";

/** A store with ways to apply files to a factory, and to read them back. */
async function applying() {
  const store = await aStore();
  const { factories, connection } = store;
  const applicationOf = async (uid: string, revision: string, files: Files): Promise<Application> =>
    anApplication(revision, {
      revision: { id: revision, author: "Ann", message: `Apply ${revision}` },
      factoryName: uid,
      files: await compareFiles(treeOf(files), await factories.findFiles(uid)),
      expects: (await factories.findDefinition(uid))?.generation ?? 0,
    });
  return {
    ...store,
    create: async (name: string) => (await factories.create(aFactory(name))).uid,
    applicationOf,
    apply: async (uid: string, revision: string, files: Files) =>
      factories.apply(uid, await applicationOf(uid, revision, files)),
    async read(uid: string, revision?: string): Promise<Record<string, string>> {
      const { files = [] } = (await factories.findFiles(uid, revision)) ?? {};
      const contents = await factories.listContents(files.flatMap(({ hash }) => hash ?? []));
      const hexOf = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString("hex");
      const byHash = new Map(contents.map(({ hash, bytes }) => [hexOf(hash), Buffer.from(bytes).toString()]));
      return Object.fromEntries(files.map(({ path, hash }) => [path, byHash.get(hexOf(hash)) ?? ""]));
    },
    stored: async () =>
      (await connection.all<{ bytes: Uint8Array }>("SELECT bytes FROM file_contents"))
        .map(({ bytes }) => Buffer.from(bytes).toString())
        .sort(),
  };
}

const WEBHOOKS = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`webhooks/${name}.yaml`, name]));

test("each applied revision has the files that it was applied with, also one that came into force twice", async () => {
  const { create, apply, read, factories } = await applying();
  const uid = await create("a");
  await apply(uid, "r1", { ...WEBHOOKS("ci", "gone"), "README.md": "no part of it" });
  await apply(uid, "r2", { "webhooks/ci.yaml": "changed", ...WEBHOOKS("new") });
  await apply(uid, "r1", WEBHOOKS("ci", "gone"));
  await apply(uid, "r3", {});
  expect(await read(uid, "r1")).toEqual(WEBHOOKS("ci", "gone"));
  expect(await read(uid, "r2")).toEqual({ "webhooks/ci.yaml": "changed", ...WEBHOOKS("new") });
  expect(await read(uid, "r3")).toEqual({});
  expect(await factories.findFiles(uid, "r4")).toBeUndefined();
  const { revision, number } = (await factories.findFiles(uid)) ?? {};
  expect([revision, number]).toEqual([{ id: "r3", author: "Ann", message: "Apply r3" }, 4]);
});

test("a file that does not change is neither read nor stored again", async () => {
  const { create, apply, applicationOf, connection } = await applying();
  const uid = await create("a");
  await apply(uid, "r1", WEBHOOKS("one", "two"));
  const { files } = await applicationOf(uid, "r2", { ...WEBHOOKS("one"), "webhooks/two.yaml": "other" });
  expect(files?.written.map(({ path }) => path)).toEqual(["webhooks/two.yaml"]);
  expect(files?.contents.map(({ hash }) => Buffer.from(hash))).toEqual([
    createHash("sha256").update("other").digest(),
  ]);
  await apply(uid, "r2", WEBHOOKS("one", "two"));
  const rows = await connection.first("SELECT COUNT(*) AS count FROM revision_files");
  expect(rows).toEqual({ count: 2 });
});

test("files that were compared with what is no longer the newest are refused, and nothing is applied", async () => {
  const { create, apply, applicationOf, factories, read } = await applying();
  const uid = await create("a");
  await apply(uid, "r1", WEBHOOKS("ci"));
  const late = await applicationOf(uid, "late", {});
  await apply(uid, "r2", WEBHOOKS("other"));
  expect(await applyTo(factories, uid, late)).toBe("files moved");
  expect((await factories.list())[0]?.sync.appliedRevision).toBe("r2");
  expect(await read(uid)).toEqual(WEBHOOKS("other"));
});

test("the deletion of a factory deletes the contents that no other factory has, and no others", async () => {
  const { create, apply, read, stored, factoryDeletions } = await applying();
  const [one, other] = [await create("one"), await create("other")];
  await apply(one, "r1", WEBHOOKS("shared", "own", "earlier"));
  await apply(one, "r2", WEBHOOKS("shared", "own"));
  await apply(other, "r1", WEBHOOKS("shared", "others"));
  expect(await stored()).toEqual(["earlier", "others", "own", "shared"]);
  await factoryDeletions.remove(one, AT);
  expect(await stored()).toEqual(["others", "shared"]);
  expect(await read(other, "r1")).toEqual(WEBHOOKS("shared", "others"));
  await factoryDeletions.remove(other, AT);
  expect(await stored()).toEqual([]);
});

test("modes, links and files that their source did not read are listed as they were", async () => {
  const { create, factories } = await applying();
  const uid = await create("a");
  const special = [
    { path: "skills/a/run.sh", executable: true as const, id: "run", size: 0 },
    { path: "skills/a/link", kind: "symlink" as const, id: "link" },
    { path: "skills/a/large", size: 2_000_000, id: "large" },
  ];
  const tree = treeOf({}, special);
  expect(await factories.keepFiles(uid, "r1", await compareFiles(tree, undefined))).toBe(true);
  expect((await factories.findFiles(uid, "r1"))?.files).toEqual([
    { path: "skills/a/large", kind: "file", size: 2_000_000, id: "large", hash: null },
    { path: "skills/a/link", kind: "symlink", size: 0, id: "link", hash: null },
    expect.objectContaining({ path: "skills/a/run.sh", kind: "file", executable: true }),
  ]);
});

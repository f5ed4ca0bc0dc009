import { expect, test } from "vitest";
import type { StoredResource } from "../../src/definitions/changes/plan.ts";
import { listeningTo } from "../given/managed.ts";
import { managedOnOneStore } from "../given/two-servers.ts";

const automation = (name: string) => ({ [`automations/${name}.md`]: listeningTo("ci", `Do ${name}.`) });
const automationsIn = (resources: readonly StoredResource[] = []) =>
  resources
    .filter(({ kind }) => kind === "automation")
    .map(({ name }) => name)
    .sort();
const titlesOf = (log: readonly string[]) => log.map((line) => line.slice(41));

test("edits at two servers in turn are one line of history, and nothing is lost", async () => {
  const { startServer, store, uid } = await managedOnOneStore();
  const one = await startServer();
  const other = await startServer();
  await one.edit("First", automation("a"));
  await other.edit("Second", automation("b"));
  await one.edit("Third", automation("c"));
  expect(titlesOf(one.log())).toEqual(["Third", "Second", "First", "Create factory acme"]);
  expect(automationsIn(await store.factories.listResources(uid))).toEqual(["a", "b", "c"]);
  await other.edit("Fourth", automation("d"));
  expect(titlesOf(other.log())).toEqual(["Fourth", "Third", "Second", "First", "Create factory acme"]);
  expect(automationsIn(other.factory.active?.resources)).toEqual(["a", "b", "c", "d"]);
});

test("a server that has lost its disk goes on with the same commits, and rolls back to any of them", async () => {
  const { startServer } = await managedOnOneStore();
  const one = await startServer();
  await one.edit("First", automation("a"));
  const first = one.factory.record.sync.appliedRevision ?? "";
  await one.edit("Second", automation("b"));
  const before = one.log();
  one.loseDisk();
  await one.edit("Third", automation("c"));
  expect(one.log().slice(1)).toEqual(before);

  one.loseDisk();
  await one.stop();
  const again = await startServer(one.data);
  expect(again.log().slice(1)).toEqual(before);
  expect(await again.factory.drift()).toMatchObject({ changes: [] });
  again.loseDisk();
  expect((await again.factory.files(first)).files.map(({ path }) => path)).toEqual(["automations/a.md"]);
  await again.factory.rollback(first);
  expect(titlesOf(again.log())[0]).toBe(`Roll back to ${first.slice(0, 12)}`);
});

test("another server rolls back to a commit that it has never had", async () => {
  const { startServer } = await managedOnOneStore();
  const one = await startServer();
  await one.edit("First", automation("a"));
  const first = one.factory.record.sync.appliedRevision ?? "";
  await one.edit("Second", automation("b"));
  const other = await startServer();
  await other.factory.rollback(first);
  expect(other.log().slice(1)).toEqual(one.log());
  await one.factory.resume();
  await one.factory.sync();
  await one.edit("Third", automation("c"));
  expect(titlesOf(one.log()).slice(0, 2)).toEqual(["Third", `Roll back to ${first.slice(0, 12)}`]);
});

test("a server that is behind does not bring its own revision back when a secret changes", async () => {
  const { startServer, store, uid } = await managedOnOneStore();
  const one = await startServer();
  const other = await startServer();
  await one.edit("First", automation("a"));
  other.factory.secretChanged();
  await other.stop();
  expect(automationsIn(await store.factories.listResources(uid))).toEqual(["a"]);
  expect(other.log()).toEqual(one.log());
});

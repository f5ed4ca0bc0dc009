import { expect, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { factoryDeletion } from "../../src/server/factory-changes.ts";
import { FACTORY } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { factoriesThatWait } from "../given/two-servers.ts";

test("of two deletions at the same time, neither removes a factory from the store while a pass of it goes on", async () => {
  const { factories, store, waits, goOn } = await factoriesThatWait(FACTORY);
  const { deleteFactory, findRecord } = factoryDeletion({
    factories,
    store,
    queue: { cancel: () => {} },
    specs: [],
    sourceDeps: { data: { factories: temporaryFolder() } },
    log: silentLog,
    now: () => new Date(),
  });
  await waits(1);
  const record = await findRecord("memory");
  if (!record) throw new Error("the factory is not there");
  const deletions = [deleteFactory(record), deleteFactory(record)];
  // Calls of the store follow each other: what a deletion has asked of it by now has happened.
  expect(await store.factories.list()).toHaveLength(1);
  await goOn(1);
  await Promise.all(deletions);
  expect(await store.factories.list()).toEqual([]);
});

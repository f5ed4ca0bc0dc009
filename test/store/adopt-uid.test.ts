import { expect, test } from "vitest";
import { newUid, newUuid } from "../../src/id.ts";
import { isTakenUid } from "../../src/store/adopt-uid.ts";
import { aStore } from "../given/store.ts";

test("the uid of a factory, and that of a deleted factory's webhook, are taken; one with deliveries of the same factory is not", async () => {
  const { connection, factories, deliveries } = await aStore();
  const [own, deleted, ofDeleted, ofOwn] = [newUid(), newUid(), newUid(), newUid()];
  const at = new Date().toISOString();
  await connection.run(
    `INSERT INTO factories (uid, source_key, name, mode, source, status, problems, created_at)
     VALUES ($1, 'key', 'acme', 'folder', '{}', 'synced', '[]', $2)`,
    [own, at],
  );
  for (const [factoryUid, webhookUid] of [
    [deleted, ofDeleted],
    [own, ofOwn],
  ] as const) {
    await deliveries.recordRefusal({
      id: newUuid(),
      factoryUid,
      webhookUid,
      time: at,
      outcome: "Rejected (auth)",
      size: 1,
      reason: "no token",
    });
  }
  const taken = (uid: string) => isTakenUid(connection, own, uid);
  expect([await taken(own), await taken(ofDeleted), await taken(ofOwn), await taken(newUid())]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const adoption = { uid: newUid(), credential: undefined, at };
  expect(await factories.adoptUid(own, { ...adoption, formerUid: ofDeleted })).toBe(false);
  expect(await factories.adoptUid(own, { ...adoption, formerUid: own })).toBe(false);
  expect(await factories.adoptUid(own, { ...adoption, formerUid: ofOwn })).toBe(true);
});

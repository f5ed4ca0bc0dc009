import { expect, test } from "vitest";
import { newUid, newUuid } from "../../../src/id.ts";
import { isTakenUid } from "../../../src/store/factories/apply-definition.ts";
import { aFactory } from "../../given/factory.ts";
import { aStore, LATER } from "../../given/store.ts";

test("a uid that a webhook has given up is its factory's alone", async () => {
  const { factories } = await aStore();
  const [own, other] = [await factories.create(aFactory("own")), await factories.create(aFactory("other"))];
  const [first, second] = [newUid(), newUid()];
  const adopt = async (factory: { uid: string }, uid: string, formerUid: string) => {
    const expects = (await factories.findDefinition(factory.uid))?.generation ?? 0;
    return factories.adoptUid(factory.uid, { uid, formerUid, credential: undefined, expects, at: LATER });
  };
  expect(await adopt(own, first, second)).toBe("adopted");
  expect(await adopt(other, newUid(), first)).toBe("uid taken");
  expect(await adopt(own, second, first)).toBe("adopted");
  expect(await adopt(other, newUid(), second)).toBe("uid taken");
});

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
      sender: null,
    });
  }
  const taken = (uid: string) => isTakenUid(connection, own, uid);
  expect([await taken(own), await taken(ofDeleted), await taken(ofOwn), await taken(newUid())]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const adoption = { uid: newUid(), credential: undefined, expects: 0, at };
  expect(await factories.adoptUid(own, { ...adoption, formerUid: ofDeleted })).toBe("uid taken");
  expect(await factories.adoptUid(own, { ...adoption, formerUid: own })).toBe("uid taken");
  expect(await factories.adoptUid(own, { ...adoption, formerUid: ofOwn })).toBe("adopted");
});

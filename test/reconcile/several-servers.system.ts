import { describe, expect, test, vi } from "vitest";
import { newUid } from "../../src/id.ts";
import { SHARED } from "../../src/secrets/rules/scope.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { deliver, factoriesThatWait, type ServerParts, twoServers } from "../given/two-servers.ts";

const automation = (name: string) => ({
  message: `Add ${name}`,
  files: [{ path: `automations/${name}/automation.md`, content: Buffer.from(automationOn(["ci"])) }],
});

/** Two servers, and a way to have something happen at A between the plan of B and its transaction. */
async function overtaken(method: keyof NonNullable<ServerParts["before"]>) {
  let happens: (() => Promise<unknown>) | undefined;
  const servers = await twoServers({
    before: {
      async [method]() {
        const once = happens;
        happens = undefined;
        await once?.();
      },
    },
  });
  return {
    ...servers,
    meanwhile(work: () => Promise<unknown>) {
      happens = work;
    },
  };
}

describe("two who edit one definition through two servers", () => {
  test("at the same time: the second is told, and can repeat the edit; nothing of the first is lost", async () => {
    const { a, b, store, uid } = await twoServers();
    const second = b.edit(async () => {
      await a.edit(() => automation("first"));
      return automation("second");
    });
    await expect(second).rejects.toMatchObject({
      code: "conflict",
      retryable: true,
      message: `Someone else changed the definition of "default" at the same time, through another server, so nothing was changed.`,
      remedy: "Read the definition again, check that your change still fits, and repeat it.",
    });
    const names = async () =>
      (await store.factories.listResources(uid))
        .filter(({ kind }) => kind === "automation")
        .map(({ name }) => name);
    expect(await names()).toEqual(["first"]);
    await b.edit(() => automation("second"));
    expect(await names()).toEqual(["first", "second"]);
  });

  test("one after the other: none is told of a conflict, and none is lost", async () => {
    const { a, b } = await twoServers();
    for (let round = 0; round < 5; round += 1) {
      await a.create({ name: `a${round}` });
      await b.create({ name: `b${round}` });
    }
    expect(b.webhooks()).toHaveLength(10);
    await a.factories.catchUp();
    expect(a.webhooks().map(({ uid }) => uid)).toEqual(b.webhooks().map(({ uid }) => uid));
  });
});

/** Two servers on one store that have read the same commit, and wait in each of their next passes. */
async function twoThatHaveRead() {
  const first = await factoriesThatWait(FACTORY);
  await first.goOn(1);
  await vi.waitFor(() => expect(first.sync()?.status).toBe("synced"), 5_000);
  const second = await factoriesThatWait(FACTORY, { store: first.store });
  await second.goOn(1);
  await vi.waitFor(() => expect(second.factories.list()[0]?.wasRead).toBe(true), 5_000);
  return { first, second };
}

test("of two servers that apply one commit, the second serves the UIDs that the first has stored", async () => {
  const { first, second } = await twoThatHaveRead();
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };
  await first.vault.set("CI_SECRET", "x", SHARED, undefined);
  for (const stage of [first, second]) {
    stage.push("r2", files);
    stage.factories.get(stage.uid).pushed();
  }
  // Both have planned the new webhook when one of them applies it.
  await Promise.all([first.waits(2), second.waits(2)]);
  for (const stage of [first, second]) {
    await stage.goOn(2);
    await vi.waitFor(() => expect(stage.factories.get(stage.uid).isSettled).toBe(true), 5_000);
  }
  const uidAt = (stage: typeof first) => stage.factories.list()[0]?.active?.uidOf("webhook", "ci");
  const stored = (await first.store.factories.listResources(first.uid)).find(({ name }) => name === "ci");
  expect(stored?.uid).toBeDefined();
  expect([uidAt(first), uidAt(second)]).toEqual([stored?.uid, stored?.uid]);
  const history = await first.store.factories.listRevisions(first.uid, { limit: 10 });
  expect(history.map(({ revision }) => revision)).toEqual(["r2", "r1"]);
});

test("a pass does not apply what it has planned before a rollback through another server", async () => {
  const { first, second } = await twoThatHaveRead();
  for (const stage of [first, second]) stage.push("r2", withFactoryLines("description: second\n"));
  const applied = first.factories.get(first.uid).sync();
  await first.goOn(2);
  await applied;
  second.push("r3", withFactoryLines("description: third\n"));
  const overtaken = second.factories.get(first.uid).sync();
  await second.waits(2);
  const rolledBack = first.factories.get(first.uid).rollback("r1");
  await first.goOn(3);
  await rolledBack;
  await second.goOn(2);
  await overtaken;
  expect(second.sync()).toMatchObject({ status: "suspended", appliedRevision: "r1" });
});

describe("what server B has planned before server A has changed the factory is planned again:", () => {
  test("a rollback goes back to the revision that was asked for", async () => {
    const { a, b, meanwhile } = await overtaken("apply");
    const revision = a.only().record.sync.appliedRevision ?? "";
    await a.edit(() => automation("one"));
    meanwhile(() => a.edit(() => automation("two")));
    await b.only().rollback(revision);
    expect(b.only().active?.definition.automations).toEqual([]);
    expect(b.only().record.sync.status).toBe("suspended");
  });

  test("a webhook that gets an earlier UID back keeps the secret that it was given meanwhile", async () => {
    const { a, b, meanwhile } = await overtaken("adoptUid");
    const { uid, secret } = await a.create({ name: "ci" });
    await b.factories.catchUp();
    let rotated = "";
    meanwhile(async () => {
      rotated = await a.rotate(uid);
    });
    const former = newUid();
    await b.only().adopt(uid, former);
    expect(await deliver(a.urlOf(former), rotated)).toBe(202);
    expect(await deliver(a.urlOf(former), secret)).toBe(401);
    expect(await deliver(a.urlOf(uid), rotated)).toBe(404);
  });

  test("an overlap ends at a server that has not heard of the rotation", async () => {
    const { a, b } = await overtaken("retakeCredentials");
    const { uid, secret } = await a.create({ name: "rolled" });
    await b.factories.catchUp();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await a.rotate(uid, undefined, until);
    expect(await deliver(a.urlOf(uid), secret)).toBe(202);
    await b.only().endOverlap(uid);
    expect(await deliver(b.urlOf(uid), secret)).toBe(401);
  });

  test("webhooks take the value of their secret that is the latest", async () => {
    const { a, b, meanwhile } = await overtaken("retakeCredentials");
    const { uid } = await a.create({ name: "ci", secretName: "CI" });
    await b.factories.catchUp();
    let rotated = "";
    meanwhile(async () => {
      rotated = await a.rotate(uid);
    });
    await b.only().retakeSecret({ name: "CI", overlapUntil: undefined });
    expect(await deliver(a.urlOf(uid), rotated)).toBe(202);
  });
});

test("a factory that was made and deleted through another server is not made again", async () => {
  const { a, b, store, meanwhile } = await overtaken("findDefinition");
  const made = await a.makeFactory("other");
  meanwhile(() => a.deleteFactory(made.record.uid));
  await b.factories.catchUp();
  await b.factories.catchUp();
  expect(b.factories.list().map(({ record }) => record.name)).toEqual(["default"]);
  expect((await store.factories.list()).map(({ name }) => name)).toEqual(["default"]);
});

test("a factory that cannot be loaded keeps no other one from being loaded", async () => {
  let isBroken = false;
  const { a, b } = await twoServers({
    before: {
      async findBySource() {
        if (isBroken) throw new Error("it cannot be read");
      },
    },
  });
  await a.create({ name: "ci" });
  const other = await a.makeFactory("other");
  const { uid } = await a.create({ name: "hook" }, other);
  isBroken = true;
  await b.factories.catchUp();
  expect(b.webhooks().map((webhook) => webhook.uid)).toEqual([uid]);
  isBroken = false;
  await b.factories.catchUp();
  expect(b.webhooks()).toHaveLength(2);
});

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeys } from "../../src/principals/keys.ts";
import { aStore } from "../given/store.ts";

const SETTING = "the-admin-key-of-the-settings";
const DAY_MS = 86_400_000;
const ADMIN = { name: "another admin", kind: "personal", role: "admin", factories: null } as const;

async function someKeys() {
  const store = (await aStore()).keys;
  let passed = 0;
  const keys = createKeys({ store, now: () => new Date(Date.now() + passed) });
  return {
    store,
    keys,
    /** What a start of the server does with the keys. */
    async start(setting: string | undefined) {
      const warning = await keys.applySettingsKey(setting);
      const made = await keys.ensureAdmin();
      return { ...(warning ? { warning } : {}), ...(made ? { made } : {}) };
    },
    works: async (value: string) => (await keys.recognise(value)) !== undefined,
    passTime: (ms: number) => {
      passed += ms;
    },
  };
}

describe("the admin key of the settings", () => {
  test("leaves with the setting; a server without another one gets a new key, once", async () => {
    const { start, works } = await someKeys();
    expect(await start(SETTING)).toEqual({});
    expect(await works(SETTING)).toBe(true);
    const { made = "" } = await start(undefined);
    expect([await works(SETTING), await works(made)]).toEqual([false, true]);
    expect(await start(undefined)).toEqual({});
    expect(await works(made)).toBe(true);
  });

  test("leaves with the setting, and another admin key is enough, but one limited to factories is not", async () => {
    const { keys, start, works, passTime } = await someKeys();
    await start(SETTING);
    await keys.create({ ...ADMIN, factories: ["one"] });
    await keys.create({ ...ADMIN, role: "operator" });
    const other = await keys.create({ ...ADMIN, expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    expect(await start(undefined)).toEqual({});
    expect([await works(SETTING), await works(other.value)]).toEqual([false, true]);
    passTime(2 * DAY_MS);
    expect((await start(undefined)).made).toMatch(/^mr_/);
  });

  test("is back with the setting", async () => {
    const { start, works, passTime } = await someKeys();
    await start(SETTING);
    // Keys are listed in the order of their making, and those of one millisecond in none.
    passTime(1);
    await start("a-second-key-of-the-settings");
    expect(await works(SETTING)).toBe(false);
    expect(await start(SETTING)).toEqual({});
    expect(await works(SETTING)).toBe(true);
  });

  test("stays revoked once it was revoked, and the next start reports it", async () => {
    const { keys, start, works } = await someKeys();
    await start(SETTING);
    const other = await keys.create(ADMIN);
    const ofSettings = (await keys.list()).find(({ id }) => keys.isOfSettings(id));
    await keys.revoke(ofSettings?.id ?? "");
    const { warning, made } = await start(SETTING);
    expect(warning).toMatch(`MILLRACE_ADMIN_KEY is set to key ${ofSettings?.id}, which was revoked`);
    expect([await works(SETTING), await works(other.value), made]).toEqual([false, true, undefined]);
  });

  test("that is revoked leaves a server without an admin key, once the others have expired, with a new one", async () => {
    const { keys, start, works, passTime } = await someKeys();
    await start(SETTING);
    await keys.create({ ...ADMIN, expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    await keys.revoke((await keys.list()).find(({ id }) => keys.isOfSettings(id))?.id ?? "");
    passTime(2 * DAY_MS);
    const { made = "" } = await start(SETTING);
    expect([await works(SETTING), await works(made)]).toEqual([false, true]);
  });

  test.each([
    ["has expired", { ...ADMIN, expiresAt: new Date(Date.now() + DAY_MS).toISOString() }],
    ["has the role viewer", { ...ADMIN, role: "viewer" } as const],
    ["has the role admin and is restricted to some factories", { ...ADMIN, factories: ["one"] }],
  ])("that was made as another key, and %s, does not stand for one", async (why, request) => {
    const { keys, start, works, passTime } = await someKeys();
    const { value } = await keys.create(request);
    passTime(2 * DAY_MS);
    const { warning, made = "" } = await start(value);
    expect(warning).toContain(why);
    expect(await works(made)).toBe(true);
  });
});

describe("an admin key that reaches every factory", () => {
  test("is revoked while another is active, and never as the last", async () => {
    const { keys } = await someKeys();
    const [one, two] = [await keys.create(ADMIN), await keys.create(ADMIN)];
    const both = await Promise.allSettled([keys.revoke(one.key.id), keys.revoke(two.key.id)]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(keys.revoke(two.key.id)).rejects.toMatchObject({ code: "conflict", retryable: false });
    await expect(keys.revoke(one.key.id)).rejects.toMatchObject({ code: "resource_not_found" });
    expect((await keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  test("is the last when the other ones have expired, are revoked, limited or no admin's", async () => {
    const { keys, passTime } = await someKeys();
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    const expiring = await keys.create({ ...ADMIN, expiresAt: soon });
    const last = await keys.create(ADMIN);
    const limited = await keys.create({ ...ADMIN, factories: ["one"] });
    const operator = await keys.create({ ...ADMIN, role: "operator" });
    passTime(2 * DAY_MS);
    await expect(keys.revoke(last.key.id)).rejects.toMatchObject({ code: "conflict" });
    for (const { key } of [expiring, limited, operator]) await keys.revoke(key.id);
    await expect(keys.revoke(last.key.id)).rejects.toMatchObject({ code: "conflict" });
  });

  test("is stored as a hash, and its value nowhere", async () => {
    const { keys, store } = await someKeys();
    const { value } = await keys.create(ADMIN);
    expect(JSON.stringify(await store.list())).not.toContain(value.slice(8));
    const hash = createHash("sha256").update(value).digest("hex");
    expect(await store.findByHash(hash)).toMatchObject({ name: ADMIN.name, prefix: value.slice(0, 8) });
  });
});

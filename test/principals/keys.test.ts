import { describe, expect, test } from "vitest";
import { createKeys } from "../../src/principals/keys.ts";
import { aStore } from "../given/store.ts";

const SETTING = "the-admin-key-of-the-settings";
const ADMIN = { name: "another admin", kind: "personal", role: "admin", factories: null } as const;

async function someKeys() {
  const keys = createKeys({ store: (await aStore()).keys, now: () => new Date() });
  return { keys, works: async (value: string) => (await keys.recognise(value)) !== undefined };
}

describe("the admin key of the settings", () => {
  test("leaves with the setting; a server without another one gets a new key, once", async () => {
    const { keys, works } = await someKeys();
    expect(await keys.ensureAdmin(SETTING)).toBeUndefined();
    expect(await works(SETTING)).toBe(true);
    const made = (await keys.ensureAdmin(undefined)) ?? "";
    expect([await works(SETTING), await works(made)]).toEqual([false, true]);
    expect(await keys.ensureAdmin(undefined)).toBeUndefined();
    expect(await works(made)).toBe(true);
  });

  test("leaves with the setting, and another admin key is enough, but one limited to factories is not", async () => {
    const { keys, works } = await someKeys();
    await keys.ensureAdmin(SETTING);
    await keys.create({ ...ADMIN, factories: ["one"] });
    await keys.create({ ...ADMIN, role: "operator" });
    const other = await keys.create(ADMIN);
    expect(await keys.ensureAdmin(undefined)).toBeUndefined();
    expect([await works(SETTING), await works(other.value)]).toEqual([false, true]);
    await keys.revoke(other.key.id);
    expect(await keys.ensureAdmin(undefined)).toMatch(/^mr_/);
  });

  test("is back with the setting, unless somebody has revoked it", async () => {
    const { keys, works } = await someKeys();
    await keys.ensureAdmin(SETTING);
    await keys.ensureAdmin("a-second-key-of-the-settings");
    expect(await works(SETTING)).toBe(false);
    await keys.ensureAdmin(SETTING);
    expect(await works(SETTING)).toBe(true);
    const [listed] = await keys.list();
    await keys.revoke(listed?.id ?? "");
    await expect(keys.ensureAdmin(SETTING)).rejects.toThrow("is a key that has been revoked");
    expect(await works(SETTING)).toBe(false);
  });
});

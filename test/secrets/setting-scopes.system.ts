import { describe, expect, test } from "vitest";
import type { ScopedSetting } from "../../src/config/config.ts";
import { mayUse, settingScopes } from "../../src/secrets/setting-scopes.ts";
import { FACTORY, withNeededRepository } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { run as runProgram, type Server } from "../given/server.ts";
import { forgeWith, privateHost, tenants } from "../given/tenants.ts";

const SHOP = { uid: "s", name: "shop", sourceName: "shop" };
const PAYMENTS = { uid: "p", name: "payments", sourceName: "payments" };
const HOME = "forges.home";
const NOTHING = { scopes: [], names: [] };
const scope = (...factories: string[]) => ({ shared: false, factories });

const scoped = (
  setting: ScopedSetting,
  factories: Parameters<typeof settingScopes>[1],
  known: Parameters<typeof settingScopes>[2],
) => settingScopes({ [HOME]: setting }, factories, known, () => false);

describe("a setting that does not name its factories", () => {
  test("belongs to the only factory, and still does when another one comes", () => {
    const { scopes, warnings } = scoped({}, [SHOP], NOTHING);
    expect([scopes, warnings]).toEqual([[{ name: HOME, ...scope("s") }], []]);
    expect(scoped({}, [SHOP, PAYMENTS], { scopes, names: [] })).toMatchObject({ scopes, warnings: [] });
  });

  test("belongs to no factory on a server of several, which warns with what to add", () => {
    const { scopes, warnings } = scoped({}, [SHOP, PAYMENTS], NOTHING);
    expect(scopes).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^forges\.home in .*add factories: \[NAME\]/)]);
  });

  test("stays with the factories that existed before scopes did, with a warning at each start", () => {
    const upgraded = { scopes: [{ name: "*", ...scope("p", "s") }], names: [] };
    const first = scoped({}, [SHOP, PAYMENTS], upgraded);
    expect(first.scopes).toEqual([
      { name: "*", ...scope() },
      { name: HOME, ...scope("p", "s") },
    ]);
    const later = scoped({}, [SHOP, PAYMENTS, { ...SHOP, uid: "n" }], { ...first, names: [] });
    for (const { warnings } of [first, later])
      expect(warnings).toEqual([
        expect.stringMatching(/the factories that could use it before still can: payments, shop\./),
      ]);
    expect(later.scopes).toContainEqual({ name: HOME, ...scope("p", "s") });
  });

  test("causes a warning when none of the served factories may use it, or still every one", () => {
    const others = scoped({}, [PAYMENTS], { scopes: [{ name: HOME, ...scope("s") }], names: [] });
    expect(others.warnings).toEqual([
      expect.stringMatching(
        /the factories that could use it before are no longer configured: add factories:/,
      ),
    ]);
    const shared = { name: HOME, shared: true, factories: [] };
    const before = scoped({}, [PAYMENTS], { scopes: [shared], names: [] });
    expect(before.warnings).toEqual([expect.stringContaining("still can: every factory.")]);
  });

  test("causes no warning where nothing is given", () => {
    const told = settingScopes({ workerEnvironment: {} }, [SHOP, PAYMENTS], NOTHING, () => true);
    expect(told.warnings).toEqual([]);
  });
});

test("the settings take precedence over earlier scopes, and a bound name stays bound", () => {
  const names = [{ name: "payments", uid: "gone" }];
  const known = { scopes: [{ name: "*", ...scope("p", "s") }], names };
  expect(scoped({ factories: ["shop"] }, [SHOP, PAYMENTS], known).scopes).toContainEqual({
    name: HOME,
    ...scope("s"),
  });
  const named = { ...PAYMENTS, sourceName: "elsewhere" };
  const { scopes, warnings } = scoped({ factories: ["payments"] }, [named], { scopes: [], names });
  expect(scopes).toEqual([{ name: HOME, ...scope() }]);
  expect(warnings).toEqual([expect.stringMatching(/^forges\.home in millrace\.yaml lists payments/)]);
});

test("a run of no factory may use what is shared, and what belongs to a factory that the settings do not name", () => {
  const shared = { shared: true, factories: [] };
  expect(mayUse({ shared: true }, shared, null)).toBe(true);
  expect(mayUse({}, scope("s"), null)).toBe(true);
  expect(mayUse({}, scope(), null)).toBe(false);
  expect(mayUse({ factories: ["s"] }, scope("s"), null)).toBe(false);
  expect([mayUse({}, scope("s"), "s"), mayUse({}, scope("s"), "p")]).toEqual([true, false]);
});

test("a factory continues with a folder that has moved, and keeps what belonged to the only factory", async () => {
  const { baseUrl } = await privateHost();
  const dataDir = `${temporaryFolder()}/data`;
  const before = await tenants(forgeWith(baseUrl), { names: ["acme"], dataDir });
  await before.server.stop();
  const moved = folderWith(withNeededRepository());
  const { run } = await tenants(forgeWith(baseUrl), { sources: [moved], dataDir });
  expect(await run("acme")).toMatchObject({ state: "SUCCEEDED" });
});

test("a forge that is both shared and given to some keeps the server from starting", async () => {
  const settings = forgeWith("https://git.example.com", ", factories: [acme], shared: true");
  const config = `${folderWith({ "millrace.yaml": settings })}/millrace.yaml`;
  const { code, said } = await runProgram(["serve", "--print-config", "--config", config], {});
  expect([code, said]).toEqual([2, expect.stringContaining("forges.home")]);
});

describe("factories that are made while a server runs", () => {
  async function make(server: Server, name: string) {
    await server.api("POST", "/factories", { name });
    const files = Object.entries({ ...FACTORY, ...withNeededRepository() }).map(([path, content]) => {
      return { path, content: String(content).replace("name: acme\n", `name: ${name}\n`) };
    });
    await server.api("POST", `/factories/${name}/files`, { files });
  }

  test("reach a forge that lists their names in the settings, and no other forge", async () => {
    const { baseUrl } = await privateHost();
    const { server, run } = await tenants(forgeWith(baseUrl, ", factories: [later]"), { names: [] });
    await make(server, "later");
    await make(server, "evil");
    expect(await run("later")).toMatchObject({ state: "SUCCEEDED" });
    expect(await run("evil")).toMatchObject({ state: "FAILED" });
  });

  test("reach nothing that belonged to the only factory; that factory keeps it, and so do runs of agents of the API", async () => {
    const { baseUrl } = await privateHost();
    const dataDir = `${temporaryFolder()}/data`;
    const settings = forgeWith(baseUrl);
    const one = await tenants(settings, { names: ["acme"], dataDir });
    const { uid: environment } = await one.server.api<{ uid: string }>("POST", "/agent/environments", {
      name: "shop",
      github_repos: [{ owner: "acme", repo: "shop" }],
    });
    const { uid: agent } = await one.server.api<{ uid: string }>("POST", "/agent/identities", { name: "a" });
    const ofNone = { agent_identity_uid: agent, config: { environment_id: environment } };
    expect(await one.run(undefined, ofNone)).toMatchObject({ state: "SUCCEEDED" });
    await make(one.server, "evil");
    expect(await one.run("evil")).toMatchObject({ state: "FAILED" });
    await one.server.stop();
    const again = await tenants(settings, { sources: one.sources, dataDir });
    expect(await again.run("evil")).toMatchObject({
      state: "FAILED",
      message: expect.stringContaining("this factory may not use (home)"),
    });
    expect(await again.run("acme")).toMatchObject({ state: "SUCCEEDED" });
    expect(await again.run(undefined, ofNone)).toMatchObject({ state: "SUCCEEDED" });
  });
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../../src/store/store.ts";
import { withNeededRepository } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { forgeWith, privateHost, sourceOf, tenants } from "../../given/tenants.ts";

/** Takes a database back to the schema before there were scopes of settings. */
function takeBack(dataDir: string): void {
  const connection = openSqlite(join(dataDir, "millrace.db"));
  connection.execute("DROP TABLE setting_scopes; DELETE FROM migrations WHERE name = '026-setting-scopes'");
  connection.close();
}

test("after the upgrade the factories that were there reach the forges as before, and later ones do not", async () => {
  const { baseUrl } = await privateHost();
  const dataDir = join(temporaryFolder(), "data");
  const before = await tenants("", { dataDir });
  await before.server.stop();
  takeBack(dataDir);

  const settings = forgeWith(baseUrl);
  const third = sourceOf("third", withNeededRepository());
  const sources = [...before.sources, third];
  const { server, run } = await tenants(settings, { dataDir, sources });
  expect(await run("acme")).toMatchObject({ state: "SUCCEEDED" });
  expect(await run("other")).toMatchObject({ state: "SUCCEEDED" });
  expect(await run("third")).toMatchObject({ state: "FAILED" });
  expect(server.log()).toMatch(
    /forges\.home .* the factories that could use it before still can: (acme, other|other, acme)\./,
  );
  expect(server.log()).not.toContain("workerEnvironment");
  await server.stop();

  const added = settings.replace("forges: {", `forges: { new: { baseUrl: "${baseUrl}", owners: [new] },`);
  const again = await tenants(added, { dataDir, sources });
  expect(await again.run("other")).toMatchObject({ state: "SUCCEEDED" });
  expect(again.server.log()).toContain("forges.new in millrace.yaml does not list the factories");
  await again.server.stop();

  const connection = openSqlite(join(dataDir, "millrace.db"));
  const scopes = await createPorts(connection).settingScopes.list();
  connection.close();
  expect(scopes.map(({ name, factories }) => [name, factories.length])).toEqual([
    ["forges.home", 2],
    ["workerEnvironment", 2],
  ]);
});

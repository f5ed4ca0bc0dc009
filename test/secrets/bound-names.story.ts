import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";

const PAID = "secrets:\n  PAID: { env: PAID_VALUE, factories: [payments] }\n";

/** A server whose settings keep a secret for the factory "payments", on one data folder. */
function startingWith(settings: string) {
  const dataDir = join(temporaryFolder(), "data");
  const args = ["--config", join(folderWith({ "millrace.yaml": settings }), "millrace.yaml")];
  return async () => {
    const server = await startServer({ sources: [], args, dataDir, env: { PAID_VALUE: "of-payments" } });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
    return server;
  };
}

const make = (server: Server, name: string) => server.api("POST", "/factories", { name });

async function rename(server: Server, from: string, to: string) {
  const yaml = String(FACTORY["factory.yaml"]).replace("acme", to);
  const files = Object.entries({ ...FACTORY, "factory.yaml": yaml });
  const body = { files: files.map(([path, content]) => ({ path, content })) };
  await server.api("POST", `/factories/${from}/files`, body);
}

async function usersOf(server: Server) {
  const { secrets } = await server.api<{ secrets: { name: string; factories: string[] }[] }>(
    "GET",
    "/secrets",
  );
  return secrets.find(({ name }) => name === "PAID")?.factories;
}

describe("a secret that the settings keep for a factory by its name", () => {
  test.each([
    ["the settings call so", `${PAID}factories: [{ managed: payments }]\n`],
    ["was made over the API", PAID],
  ])("stays with the one that %s, when that is renamed and another takes the name", async (_, settings) => {
    const start = startingWith(settings);
    const server = await start();
    if (settings === PAID) await make(server, "payments");
    await make(server, "evil");
    expect(await usersOf(server)).toEqual(["payments"]);
    await rename(server, "payments", "billing");
    await rename(server, "evil", "payments");
    await make(server, "another");
    expect(await usersOf(server)).toEqual(["billing"]);
    await server.stop();
    expect(await usersOf(await start())).toEqual(["billing"]);
  });

  test("belongs to no factory once that one is deleted, whichever factory takes the name", async () => {
    const start = startingWith(PAID);
    const server = await start();
    await make(server, "payments");
    await make(server, "evil");
    await server.api("DELETE", "/factories/payments");
    await rename(server, "evil", "payments");
    await make(server, "another");
    expect(await usersOf(server)).not.toContain("payments");
    await server.stop();
    const again = await start();
    expect(await usersOf(again)).toEqual([]);
    expect(again.log()).toContain("a name always refers to the first factory that had it");
  });
});

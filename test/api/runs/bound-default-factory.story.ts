import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { FACTORY } from "../../given/definition.ts";
import { type Files, folderWith, temporaryFolder, writeFiles } from "../../given/folder.ts";
import { type Server, startServer, waitFor } from "../../given/server.ts";

/** A server whose settings name the factory "payments" for runs that name none, on one data folder. */
function startingWith(settings = "{}\n", sources: string[] = []) {
  const dataDir = join(temporaryFolder(), "data");
  const args = ["--config", join(folderWith({ "millrace.yaml": settings }), "millrace.yaml")];
  return async (name = "payments") => {
    const env = { MILLRACE_DEFAULT_FACTORY: name };
    const server = await startServer({ sources, args, dataDir, env, agent: "true" });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
    return server;
  };
}

const make = async (server: Server, name: string) =>
  (await server.api<{ uid: string }>("POST", "/factories", { name })).uid;

async function rename(server: Server, from: string, to: string) {
  const yaml = String(FACTORY["factory.yaml"]).replace("acme", to);
  const files = Object.entries({ ...FACTORY, "factory.yaml": yaml });
  const body = { files: files.map(([path, content]) => ({ path, content })) };
  await server.api("POST", `/factories/${from}/files`, body);
}

const called = (name: string): Files => ({
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
});

/** The folder of a source that is called like this. */
function sourceOf(name: string, files: Files): string {
  const folder = join(temporaryFolder(), name);
  writeFiles(folder, { ...FACTORY, ...files });
  return folder;
}

/** Waits until the definitions of all sources are in force, by their names: one may have to give its name up first. */
async function synced(server: Server, ...names: string[]) {
  await waitFor(async () => {
    const { factories } = await server.api<{ factories: { uid: string; name: string }[] }>(
      "GET",
      "/factories",
    );
    for (const { uid } of factories) await server.api("POST", `/factories/${uid}/sync?wait=true`);
    return names.every((name) => factories.some((each) => each.name === name));
  });
}

/** The factory of a run whose request names none, or why there is no such run. */
async function takerOn(server: Server): Promise<unknown> {
  const asked = await ask<{ run_id: string; detail: string }>(server, "POST", "/agent/runs", {
    body: { prompt: "Go." },
  });
  if (asked.status !== 200) return [asked.status, asked.body.detail];
  const run = await server.api<{ factory_uid?: string }>("GET", `/agent/runs/${asked.body.run_id}`);
  return run.factory_uid;
}

describe("a default factory that the settings name", () => {
  test("stays the one that had the name, when it is renamed and another takes the name", async () => {
    const start = startingWith();
    const server = await start();
    const payments = await make(server, "payments");
    await make(server, "evil");
    expect(await takerOn(server)).toBe(payments);
    await rename(server, "payments", "billing");
    await rename(server, "evil", "payments");
    expect(await takerOn(server)).toBe(payments);
    await server.stop();
    expect(await takerOn(await start())).toBe(payments);
  });

  test("is bound at the start, before a source is read whose definition takes the name", async () => {
    const [first, second] = [sourceOf("first", called("payments")), sourceOf("second", called("evil"))];
    const start = startingWith("{}\n", [first, second]);
    const before = await start("another");
    await synced(before, "payments", "evil");
    const payments = (await before.api<{ uid: string }>("GET", "/factories/payments")).uid;
    await before.stop();
    writeFiles(first, called("billing"));
    writeFiles(second, called("payments"));
    const server = await start();
    await synced(server, "billing", "payments");
    expect(await takerOn(server)).toBe(payments);
  });

  test("no longer exists once that one is deleted, whichever factory takes the name, and a uid selects another", async () => {
    const start = startingWith();
    const server = await start();
    await make(server, "payments");
    const evil = await make(server, "evil");
    await takerOn(server);
    await server.api("DELETE", "/factories/payments");
    await rename(server, "evil", "payments");
    expect(await takerOn(server)).toEqual([
      409,
      'The server\'s default factory "payments" (MILLRACE_DEFAULT_FACTORY) does not exist: a name always refers to the first factory that had it.',
    ]);
    await server.stop();
    expect(await takerOn(await start(evil))).toBe(evil);
  });

  test("is the one to which the settings give the name, whatever another one is called", async () => {
    const start = startingWith("factories: [{ managed: payments }]\n");
    const server = await start();
    await make(server, "evil");
    const { uid } = await server.api<{ uid: string }>("GET", "/factories/payments");
    await rename(server, "payments", "billing");
    await rename(server, "evil", "payments");
    expect(await takerOn(server)).toBe(uid);
  });
});

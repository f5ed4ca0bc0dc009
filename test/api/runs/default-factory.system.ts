import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { type Files, folderWith, temporaryFolder, writeFiles } from "../../given/folder.ts";
import { type Server, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

interface Asked {
  run_id: string;
}

/** A server with a factory, to which another one is added. */
async function withSecondFactory(env: Record<string, string> = {}, files: Files = FACTORY) {
  const server = await startServer({ sources: [folderWith(files)], env, agent: "true" });
  const story = storyOf(server);
  await story.sync();
  const made = await ask<{ warning?: string }>(server, "POST", "/factories", { body: { name: "second" } });
  expect(made.status).toBe(201);
  return { server, story, warning: made.body.warning };
}

const withTwo = sharedByFile(() => withSecondFactory());

test("a second factory is warned of in the answer that makes it, with what changes and what to set", async () => {
  const { server, warning } = withTwo();
  expect(warning).toMatch(/second factory.*no factory and have.*MILLRACE_DEFAULT_FACTORY=acme/);
  const third = await ask<{ warning?: string }>(server, "POST", "/factories", { body: { name: "third" } });
  expect(third.body.warning).toBeUndefined();
});

test("the timeline of a run says that it went without a factory because there are several", async () => {
  const { server, story } = withTwo();
  const { run_id } = await server.api<Asked>("POST", "/agent/runs", { prompt: "Go." });
  const run = await story.ended(run_id);
  expect(run.factory_uid).toBeUndefined();
  expect(JSON.stringify(await story.timeline(run_id))).toContain("the run belongs to no factory");
});

test("a run that names no factory belongs to the factory of the settings, by its name or its uid", async () => {
  const { server, story, warning } = await withSecondFactory({ MILLRACE_DEFAULT_FACTORY: "acme" });
  expect(warning).toBeUndefined();
  const { uid } = await server.api<{ uid: string }>("GET", "/factories/acme");
  const { run_id } = await server.api<Asked>("POST", "/agent/runs", { prompt: "Go." });
  expect(await story.ended(run_id)).toMatchObject({ factory_uid: uid });
  expect(JSON.stringify(await story.timeline(run_id))).not.toContain("belongs to no factory");
});

test("a request for a run reports a default factory that does not exist", async () => {
  const { server } = await withSecondFactory({ MILLRACE_DEFAULT_FACTORY: "acmee" });
  const asked = await ask<{ detail: string }>(server, "POST", "/agent/runs", { body: { prompt: "Go." } });
  expect([asked.status, JSON.stringify(asked.body)]).toEqual([
    409,
    expect.stringContaining("MILLRACE_DEFAULT_FACTORY"),
  ]);
});

test("the start warns of a default factory that does not exist, and not of one that does", async () => {
  const warningOf = async (name: string) => {
    const { server } = await withSecondFactory({ MILLRACE_DEFAULT_FACTORY: name });
    await server.stop();
    return server.log();
  };
  expect(await warningOf("acmee")).toMatch(/MILLRACE_DEFAULT_FACTORY is set to .*acmee.* does not exist/);
  expect(await warningOf("acme")).not.toContain("does not exist");
});

test("a request for a run reports a default factory without an active definition, as it does for a named one", async () => {
  const broken = folderWith({ "factory.yaml": "name: [\n" });
  const env = { MILLRACE_DEFAULT_FACTORY: basename(broken) };
  const server = await startServer({ sources: [folderWith(FACTORY), broken], env });
  await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  const asked = await ask(server, "POST", "/agent/runs", { body: { prompt: "Go." } });
  expect([asked.status, JSON.stringify(asked.body)]).toEqual([
    409,
    expect.stringMatching(/MILLRACE_DEFAULT_FACTORY.*no applied definition yet/),
  ]);
});

test("an answer to a key for some factories does not name a setting that is not for it", async () => {
  const { server } = withTwo();
  const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factories");
  const made = { name: "both", role: "operator", factories: factories.map(({ uid }) => uid) };
  const { key } = await server.api<{ key: string }>("POST", "/api-keys", made);
  const asked = await ask(server, "POST", "/agent/runs", { key, body: { prompt: "Go." } });
  expect([asked.status, asked.body.field]).toEqual([400, "factory"]);
  expect(JSON.stringify(asked.body)).not.toContain("MILLRACE_DEFAULT_FACTORY");
});

test("the setting that the warning names can be copied, whatever the factory is called", async () => {
  const files = { ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "our acme") };
  const { warning } = await withSecondFactory({}, files);
  expect(warning).toContain("MILLRACE_DEFAULT_FACTORY='our acme' to");
});

/** A server with the factory "acme" in force and a second one whose first definition is not valid. */
async function withPending(env: Record<string, string> = {}) {
  const pending = folderWith({ "factory.yaml": "name: [\n" });
  const server = await startServer({ sources: [folderWith(FACTORY), pending], env });
  await storyOf(server).sync();
  const plan = async (factory: string) => {
    const yaml = String(FACTORY["factory.yaml"]).replace("acme", "second");
    const files = Object.entries({
      ...FACTORY,
      "factory.yaml": factory === "acme" ? FACTORY["factory.yaml"] : yaml,
    });
    const body = {
      files: files.map(([path, content]) => ({ path, content: String(content) })),
      traffic: false,
    };
    const { warnings } = await server.api<{ warnings: { code: string; message: string; path: string }[] }>(
      "POST",
      `/factories/${factory}/plan`,
      body,
    );
    return warnings.filter(({ code }) => code === "second_factory");
  };
  return { plan, pending: basename(pending) };
}

test("the plan of the first definition of a second factory says what it changes, and other plans do not", async () => {
  const { plan, pending } = await withPending();
  const [warning] = await plan(pending);
  expect(warning?.message).toMatch(/second factory.*no factory and have.*MILLRACE_DEFAULT_FACTORY=acme/);
  expect(warning?.path).toBe("factory.yaml");
  expect(await plan("acme")).toEqual([]);
});

test("a plan says nothing of a second factory where the settings name a default", async () => {
  const { plan, pending } = await withPending({ MILLRACE_DEFAULT_FACTORY: "acme" });
  expect(await plan(pending)).toEqual([]);
});

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

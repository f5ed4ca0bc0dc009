import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveManaged } from "../given/managed.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, type Server, startServer, waitFor } from "../given/server.ts";
import { type Factory, storyOf } from "../given/story.ts";

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

const FILES = {
  ...withFactoryLines("secrets: [GRANTED]\n"),
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
};

test("setting a secret reports what is retried, and what waits for a commit", async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  const set = async (value: string) => {
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const { code, printed } = await run(["secrets", "set", "CI_SECRET"], env, value);
    expect(code).toBe(0);
    return printed;
  };
  await story.setSecret("GRANTED", "x");
  await waitFor(async () => (await story.factory()).sync.status === "failed");
  expect(await set("first")).not.toContain("next commit");
  await waitFor(async () => (await story.factory()).sync.status === "synced");

  expect(await set("second")).toContain("acme: webhook ci uses the new value after the next commit");
  const url = await story.urlOf("ci");
  expect((await story.deliver(url, "first", "1")).status).toBe(202);
  repository.push({});
  await story.sync();
  expect((await story.deliver(url, "second", "2")).status).toBe(202);
  expect(await set("second")).not.toContain("next commit");
});

test("in a managed definition, a new value waits for a change of the definition", async () => {
  const { server, create } = await serveManaged();
  const { secret_name } = await create({ name: "ci" });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await run(["secrets", "set", secret_name], env, "another");
  expect(printed).toContain(
    "default: webhook ci uses the new value after the next change of the definition, and the previous value until then.",
  );
});

test("a secret that agents lack prevents a definition from becoming active until it is set", async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "first");
  const errors = async () => {
    const { sync } = await story.factory();
    return sync.problems.filter(({ severity }) => severity === "error");
  };
  const [missing] = await waitFor(async () => {
    const found = await errors();
    return found.length === 1 ? found : undefined;
  });
  expect(missing).toMatchObject({ path: "factory.yaml", line: 5, code: "FF_INVALID_REFERENCE" });
  expect(missing?.message).toContain("millrace secrets set GRANTED");
  expect((await story.factory()).sync.status).toBe("failed");

  await story.setSecret("GRANTED", "x");
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  expect(await errors()).toEqual([]);
  expect((await story.deliver(await story.urlOf("ci"), "first", "1")).status).toBe(202);
});

/** Passes everything on to a server, and holds back the answers to PUT until something has happened: a slow network. */
async function slowTo(target: string, until: () => Promise<unknown>): Promise<string> {
  const proxy = createServer(async (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const method = request.method ?? "GET";
    const body = method === "PUT" ? await text(request) : null;
    const answer = await fetch(`${target}${request.url}`, { method, headers, body });
    if (method === "PUT") await until();
    const { "content-encoding": ___, "content-length": ____, ...told } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, told).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test("setting a secret names every factory that lacked it, also one that is synced by then", async () => {
  const sources = ["acme", "shop"].map((name) =>
    folderWith({
      ...FACTORY,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
    }),
  );
  const server = await startServer({ sources });
  const allAre = (status: string) =>
    waitFor(async () => {
      const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
      return factories.every(({ sync }) => sync.status === status) ? factories : undefined;
    });
  await allAre("failed");
  const env = {
    MILLRACE_SERVER: await slowTo(server.url, () => allAre("synced")),
    MILLRACE_API_KEY: ADMIN_KEY,
  };
  const { printed, said } = await run(["secrets", "set", "CI_SECRET", "--shared"], env, "first");
  expect(said).toBe("");
  for (const name of ["acme", "shop"])
    expect(printed).toContain(
      `${name}: the revision that could not be applied without the secret is being retried`,
    );
});

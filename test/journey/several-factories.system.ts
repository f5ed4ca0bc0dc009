import { describe, expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import type { Delivery, Factory, Webhook } from "../given/story.ts";

const named = (name: string, more: Files = {}, lines = ""): Files => ({
  ...FACTORY,
  ...more,
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name) + lines,
});

const webhooks = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`webhooks/hook-${index + 1}.yaml`, TOKEN_WEBHOOK]),
  );

async function startWith(...trees: Files[]) {
  const repositories = trees.map((files) => repositoryWith(files));
  const server = await startServer({ sources: repositories.map(({ url }) => url) });
  await server.api("PUT", "/secrets/CI_SECRET", { value: "x", shared: true });
  return { server, repositories };
}

const factoriesOf = async (server: Server) =>
  (await server.api<{ factories: Factory[] }>("GET", "/factories")).factories;

const sync = (server: Server, name: string) =>
  server.api<Factory>("POST", `/factories/${name}/sync?wait=true`);

describe("several factories on one server", () => {
  test("have twenty webhooks each, with names that they share and URLs that they do not", async () => {
    const { server, repositories } = await startWith(
      named("one", { ...webhooks(20), "automations/a.md": automationOn(["hook-1"]) }),
      named("two", { ...webhooks(20), "automations/a.md": automationOn(["hook-1"]) }),
    );
    await waitFor(async () =>
      (await factoriesOf(server)).every(({ sync: { status } }) => status === "synced"),
    );
    const of = async (name: string) =>
      (await server.api<{ webhooks: Webhook[] }>("GET", `/factories/${name}/webhooks?limit=100`)).webhooks;
    const [one, two] = [await of("one"), await of("two")];
    expect([one.length, two.length]).toEqual([20, 20]);
    expect(new Set([...one, ...two].map(({ url }) => url)).size).toBe(40);

    const [{ url = "", uid = "" } = {}] = one.filter(({ name }) => name === "hook-1");
    const answer = await fetch(url, { method: "POST", headers: { authorization: "Bearer x" }, body: "{}" });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    const delivery = await server.api<Delivery>("GET", `/factories/one/deliveries/${delivery_id}`);
    expect(delivery.run_ids).toHaveLength(1);
    for (const path of [`deliveries/${delivery_id}`, `webhooks/${uid}`]) {
      expect((await ask(server, "GET", `/factories/two/${path}`)).status).toBe(404);
    }

    const commit = repositories[0]?.push(webhooks(21));
    const failed = await sync(server, "one");
    expect(failed.sync).toMatchObject({ status: "failed", attempted_revision: commit });
    expect((await sync(server, "two")).sync.status).toBe("synced");
    expect(
      (await fetch(url, { method: "POST", headers: { authorization: "Bearer x" }, body: "1" })).status,
    ).toBe(202);
  });

  test("have aliases of their own, in letters of any case; one that is let go may be taken", async () => {
    const { server, repositories } = await startWith(named("one", {}, "alias: The Shop\n"), named("two"));
    await waitFor(async () =>
      (await factoriesOf(server)).every(({ sync: { status } }) => status === "synced"),
    );
    repositories[1]?.push(named("two", {}, "alias: the shop\n"));
    const plan = await server.api<{ applicable: boolean }>("POST", "/factories/two/plan", { ref: "main" });
    expect(plan.applicable).toBe(false);
    const refused = await sync(server, "two");
    expect(refused.sync.problems[0]).toMatchObject({
      message: expect.stringContaining('already has the alias "the shop"'),
      path: "factory.yaml",
      line: 6,
    });
    repositories[0]?.push(named("one"));
    await sync(server, "one");
    expect((await sync(server, "two")).sync.status).toBe("synced");
  });

  test("change as their own repositories do: one that is broken, suspended or unreachable delays no other", async () => {
    const { server, repositories } = await startWith(named("one"), named("two"), named("three"));
    await waitFor(async () =>
      (await factoriesOf(server)).every(({ sync: { status } }) => status === "synced"),
    );
    repositories[0]?.push({ "factory.yaml": "name: [" });
    await server.api("POST", "/factories/two/suspend");
    await Promise.all([sync(server, "one"), sync(server, "two")]);
    const commit = repositories[2]?.push({ "webhooks/ci.yaml": TOKEN_WEBHOOK });
    expect((await sync(server, "three")).sync).toMatchObject({ status: "synced", applied_revision: commit });
    const all = await factoriesOf(server);
    expect(Object.fromEntries(all.map(({ name, sync: { status } }) => [name, status]))).toEqual({
      one: "failed",
      two: "suspended",
      three: "synced",
    });
  });
});

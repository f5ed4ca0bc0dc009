import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { type Delivery, type Factory, storyOf, type Webhook } from "../../given/story.ts";

const TOKEN = "the-token";
const AUTOMATION = { "automations/pushed.md": automationOn(["ci"], { kind: ["push"] }) };
const WEBHOOKS = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "webhooks/gone.yaml": TOKEN_WEBHOOK };

/** Two factories with the same webhooks; of the first, the webhook "gone" was deleted after its delivery. */
const stage = sharedByFile(async () => {
  const named = (name: string) =>
    folderWith({
      ...FACTORY,
      ...WEBHOOKS,
      ...AUTOMATION,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
    });
  const [acme, other] = [named("acme"), named("other")];
  const server = await startServer({ sources: [acme, other] });
  await server.api("PUT", "/secrets/CI_SECRET", { value: TOKEN, shared: true });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const sync = (uid: string) => server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`);
  for (const { uid } of factories) await sync(uid);
  const story = storyOf(server);
  const urls: Record<string, string> = {};
  for (const factory of ["acme", "other"]) {
    const { webhooks } = await server.api<{ webhooks: Webhook[] }>("GET", `/factories/${factory}/webhooks`);
    for (const { name, url } of webhooks) urls[`${factory}/${name}`] = url;
  }
  const url = (name: string) => urls[name] ?? "";
  const ids = {
    gone: await story.accept(url("acme/gone"), TOKEN, '{"n":1}'),
    started: await story.accept(url("acme/ci"), TOKEN, '{"kind":"push"}'),
    quiet: await story.accept(url("acme/ci"), TOKEN, '{"kind":"tag"}'),
    other: await story.accept(url("other/ci"), TOKEN, '{"kind":"push"}'),
  };
  await story.accept(url("acme/ci"), TOKEN, '{"kind":"tag"}');
  await story.deliver(url("other/ci"), "wrong", "{}");
  rmSync(join(acme, "webhooks/gone.yaml"));
  await sync("acme");
  const { key } = await server.api<{ key: string }>("POST", "/api-keys", {
    ...{ name: "limited", kind: "personal", role: "viewer", factories: ["other"] },
  });
  const ask = async (query: string, apiKey = ADMIN_KEY) => {
    const answer = await server.fetch(`/api/v1/deliveries${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { deliveries: Delivery[]; page_info: object },
    };
  };
  const list = async (query: string, apiKey?: string) => (await ask(query, apiKey)).body.deliveries;
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return {
    server,
    ids,
    key,
    ask,
    list,
    cli: (...args: string[]) => run(["deliveries", "list", ...args], env),
  };
});

describe("the deliveries of all webhooks", () => {
  test("come newest first with the names of their factories and webhooks, page by page", async () => {
    const { list, server } = stage();
    const all = await list("");
    expect(all.map(({ factory, webhook, outcome }) => [factory, webhook, outcome])).toEqual([
      ["other", "ci", "Rejected (auth)"],
      ["acme", "ci", "Duplicate"],
      ["other", "ci", "Accepted"],
      ["acme", "ci", "Accepted"],
      ["acme", "ci", "Accepted"],
      ["acme", "gone", "Accepted"],
    ]);
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await server.api<{ deliveries: Delivery[]; page_info: { next_cursor?: string } }>(
        "GET",
        `/deliveries?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...page.deliveries.map(({ delivery_id }) => delivery_id));
      if (!page.page_info.next_cursor) break;
      cursor = page.page_info.next_cursor;
    }
    expect(paged).toEqual(all.map(({ delivery_id }) => delivery_id));
  });

  test.each([
    ["?factory=acme", ["Duplicate", "Accepted", "Accepted", "Accepted"]],
    ["?webhook=ci&factory=other", ["Rejected (auth)", "Accepted"]],
    ["?outcome=Duplicate&outcome=Rejected%20(auth)", ["Rejected (auth)", "Duplicate"]],
    ["?started=true", ["Accepted", "Accepted"]],
    ["?started=false&outcome=Accepted", ["Accepted", "Accepted"]],
    ["?until=2020-01-01", []],
    ["?since=2020-01-01T00:00:00Z&factory=other", ["Rejected (auth)", "Accepted"]],
  ])("are filtered by %s", async (query, outcomes) => {
    const found = await stage().list(query);
    expect(found.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  test("include those of a deleted webhook, which is found by its name and marked", async () => {
    const { list, ids } = stage();
    const [found, ...rest] = await list("?webhook=gone&factory=acme");
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ delivery_id: ids.gone, webhook: "gone", webhook_deleted: true });
    expect((await list("?webhook=ci"))[0]).toMatchObject({ webhook_deleted: false });
  });

  test("of other factories stay hidden from a key that is limited to one", async () => {
    const { ask, list, key } = stage();
    expect((await list("", key)).map(({ factory }) => factory)).toEqual(["other", "other"]);
    expect((await ask("?factory=acme", key)).status).toBe(404);
    expect(await list("?outcome=Duplicate", key)).toEqual([]);
    expect((await list("?started=true", key)).map(({ factory }) => factory)).toEqual(["other"]);
  });

  test("are not found under a name that no webhook has, nor by a cursor of other filters", async () => {
    const { ask } = stage();
    expect((await ask("?webhook=nothing")).status).toBe(404);
    const { page_info } = (await ask("?limit=1")).body as { page_info: { next_cursor?: string } };
    expect((await ask(`?limit=1&started=true&cursor=${page_info.next_cursor}`)).status).toBe(400);
  });
});

describe("the deliveries of one webhook", () => {
  test("take the same filters", async () => {
    const { server, ids, list } = stage();
    const [quiet] = await list("?factory=acme&webhook=ci&started=false&outcome=Accepted");
    const own = `/factories/acme/webhooks/${quiet?.webhook_uid}/deliveries?started=false&outcome=Accepted`;
    const { deliveries } = await server.api<{ deliveries: Delivery[] }>("GET", own);
    expect(deliveries.map(({ delivery_id }) => delivery_id)).toEqual([ids.quiet]);
  });
});

describe("millrace deliveries list", () => {
  test("takes the filters, and shows factory, deleted webhooks and the reason in the row", async () => {
    const { cli } = stage();
    const all = (await cli()).printed;
    expect(all).toMatch(/^OUTCOME +FACTORY +WEBHOOK/);
    expect(all).toMatch(/Rejected \(auth\) +other +ci .* the bearer token does not match/);
    expect(all).toMatch(/Accepted +acme +gone \(deleted\)/);
    const refused = await cli("--outcome", "rejected", "--outcome", "duplicate", "--since", "2h", "--json");
    expect(JSON.parse(refused.printed).map(({ outcome }: Delivery) => outcome)).toEqual([
      "Rejected (auth)",
      "Duplicate",
    ]);
    const quiet = await cli(
      "--not-started",
      "--outcome",
      "accepted",
      "--factory",
      "acme",
      "--webhook",
      "ci",
      "--json",
    );
    expect(JSON.parse(quiet.printed)).toMatchObject([{ delivery_id: stage().ids.quiet }]);
    expect((await cli("--until", "2020-01-01")).printed).toBe("No deliveries match these filters.\n");
    expect((await cli("--started", "--not-started")).code).toBe(2);
  });
});

describe("the search of deliveries", () => {
  test.each([
    ["?q=push", ["other", "acme"]],
    ["?q=PUS*", ["other", "acme"]],
    ["?q=pus", []],
    ["?q=kind%20tag", ["acme"]],
    ["?q=push&factory=acme", ["acme"]],
    ["?q=push&started=false", []],
    ["?q=token&outcome=Rejected%20(auth)", ["other"]],
    [`?q=${encodeURIComponent('"push" OR (NOT tag:*')}`, []],
    [`?q=${encodeURIComponent("push\" '); --")}`, ["other", "acme"]],
  ])("answers %s", async (query, factories) => {
    expect((await stage().list(query)).map(({ factory }) => factory)).toEqual(factories);
  });

  test("finds a delivery by its id, whole or in part, also of a deleted webhook, until it is deleted", async () => {
    const { server, list, ids } = stage();
    expect((await list(`?q=${ids.quiet}`)).map(({ delivery_id }) => delivery_id)).toEqual([ids.quiet]);
    expect((await list(`?q=${ids.gone.slice(24, 30)}*`)).map(({ delivery_id }) => delivery_id)).toContain(
      ids.gone,
    );
    const found = async () => (await list("?q=n&factory=acme")).map(({ delivery_id }) => delivery_id);
    expect(await found()).toEqual([ids.gone]);
    const path = `/api/v1/factories/acme/deliveries/${ids.gone}/payload`;
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    expect((await server.fetch(path, { method: "DELETE", headers })).status).toBe(204);
    expect(await found()).toEqual([]);
  });

  test("shows a limited key nothing of other factories", async () => {
    const { list, key, ids } = stage();
    expect((await list("?q=push", key)).map(({ factory }) => factory)).toEqual(["other"]);
    expect(await list(`?q=${ids.quiet}`, key)).toEqual([]);
  });

  test("refuses a text without a letter or digit, and one that is too long", async () => {
    const { ask } = stage();
    const { status, body } = await ask("?q=--");
    expect([status, body]).toEqual([400, expect.objectContaining({ field: "q" })]);
    expect((await ask(`?q=${"a".repeat(201)}`)).status).toBe(400);
  });

  test("is offered by the command line", async () => {
    const { cli, ids } = stage();
    const { printed } = await cli("--search", "kind tag", "--json");
    expect(JSON.parse(printed)).toMatchObject([{ delivery_id: ids.quiet }]);
    expect((await cli("--search", "nowhere")).printed).toBe("No deliveries match these filters.\n");
  });
});

import { describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "../../given/definition.ts";
import { serveManaged } from "../../given/managed.ts";
import type { Server } from "../../given/server.ts";
import { waitFor } from "../../given/server.ts";
import { serving, twoFactories } from "../../given/serving.ts";

/** Asks what its prompt says, and has then to wait. A prompt that says so shows the token of its run. */
const ASKING = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8").trim().split("\\n").at(-1);
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const inbox = await fetch(url + "/api/v1/inbox", { headers });
  const message = prompt + " " + inbox.status;
  await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message, urgency: "high" }) });`;

const BUDGET = "millrace: { repositories: optional, budget: { runsPerDay: 2 } }\n";
const FILES = {
  ...withFactoryLines(BUDGET),
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
};

type Inbox = Models["InboxList"];

const read = async (server: Server, query = "", key?: string) => {
  const answer = await ask<Inbox>(server, "GET", `/inbox${query}`, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return answer.body;
};

/** A server with one item of each kind, two questions among them. */
async function fullInbox() {
  const { server, story } = await serving(FILES, { CI_SECRET: "t" }, { agent: ASKING });
  const start = async (prompt: string) =>
    (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt })).run_id;
  const blocked = async (prompt: string) => {
    const id = await start(prompt);
    await waitFor(async () => (await story.run(id)).state === "BLOCKED");
    return id;
  };
  const first = await blocked("Which one?");
  const second = await blocked("And then?");
  const waits = await start("Wait for tomorrow.");
  const { url, uid } = await story.webhook("ci");
  for (const n of [1, 2, 3]) await story.deliver(url, "wrong", `{"n":${n}}`);
  await server.api("POST", "/factories/acme/suspend");
  return { server, story, first, second, waits, uid };
}

const stage = sharedByFile(fullInbox);

describe("the Inbox", () => {
  test("lists what waits for a person, newest first, each with what it is about and where to go", async () => {
    const { server, first, second, waits, uid } = await stage();
    const { items, page_info } = await read(server);
    expect(page_info).toEqual({ has_next_page: false });
    const factory = { factory: "acme" };
    expect(items.map(({ since: _, ...item }) => item).sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject(
      [
        {
          kind: "apply_failed",
          title: "acme is suspended",
          url: expect.stringContaining("/factories/acme/revisions"),
        },
        {
          kind: "budget",
          title: "The budget of the factory acme is used up",
          detail: expect.stringContaining("2 of 2 runs"),
        },
        {
          id: `question:${first}`,
          kind: "question",
          run_id: first,
          detail: "Which one? 403",
          urgency: "high",
        },
        { id: `question:${second}`, kind: "question", run_id: second, url: `${server.url}/runs/${second}` },
        {
          kind: "sender_refused",
          title: "ci is refused",
          detail: expect.stringContaining("last 3 deliveries"),
        },
      ].sort((a, b) => ((a.id ?? a.kind) < (b.id ?? b.kind) ? -1 : 1)),
    );
    for (const item of items) expect(item).toMatchObject({ ...factory, since: expect.stringMatching(/Z$/) });
    const times = items.map(({ since }) => since);
    expect(times).toEqual([...times].sort().reverse());
    expect(items.some(({ id }) => id.includes(waits))).toBe(false);
    expect(items.find(({ title }) => title === "ci is refused")?.id).toBe(`sender_refused:${uid}`);
  });

  test.each([1, 2, 4])("comes in pages of %d that have all of it once, in the same order", async (limit) => {
    const { server } = await stage();
    const all = await read(server);
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { items, page_info } = await read(server, `?limit=${limit}${cursor}`);
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items.map(({ id }) => id));
      if (page_info.next_cursor === undefined) break;
      cursor = `&cursor=${page_info.next_cursor}`;
    }
    expect(found).toEqual(all.items.map(({ id }) => id));
  });

  test("of a factory that is not there is an error, and a cursor belongs to its list", async () => {
    const { server } = await stage();
    expect(await ask(server, "GET", "/inbox?factory=nope")).toMatchObject({ status: 404 });
    const { page_info } = await read(server, "?limit=1");
    const other = await ask(server, "GET", `/inbox?limit=1&factory=acme&cursor=${page_info.next_cursor}`);
    expect(other).toMatchObject({ status: 400, body: { field: "cursor" } });
  });
});

test("a question that is answered and a factory that is resumed are gone", async () => {
  const { server, story, first } = await fullInbox();
  await server.api("POST", `/agent/runs/${first}/dismiss`);
  await story.ended(first);
  await server.api("POST", "/factories/acme/resume");
  await story.sync();
  const left = (await read(server)).items.map(({ kind }) => kind);
  expect(left.filter((kind) => kind === "question")).toHaveLength(1);
  expect(left).not.toContain("apply_failed");
});

test("a key of one factory sees that factory's alone, and the server's key all, also of no factory", async () => {
  const { server, acme, other } = await twoFactories({}, { agent: ASKING });
  const block = async (factory: string) => {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "Which?",
      factory,
    });
    await waitFor(async () => (await server.api("GET", `/agent/runs/${run_id}`)).state === "BLOCKED");
    return run_id;
  };
  const [own, others] = [await block(acme), await block(other)];
  for (const name of ["acme", "other"]) await server.api("POST", `/factories/${name}/suspend`);
  const key = await aKey(server, { role: "viewer", factories: [acme] });
  const seen = (await read(server, "", key)).items;
  expect(seen.map(({ kind, factory }) => [kind, factory]).sort()).toEqual([
    ["apply_failed", "acme"],
    ["question", "acme"],
  ]);
  expect(seen.find(({ kind }) => kind === "question")?.run_id).toBe(own);
  expect(await ask(server, "GET", "/inbox?factory=other", { key })).toMatchObject({ status: 404 });
  expect((await read(server)).items).toHaveLength(4);
  const ofOther = (await read(server, "?factory=other")).items;
  expect(ofOther.map(({ kind, run_id }) => [kind, run_id]).sort()).toEqual([
    ["apply_failed", undefined],
    ["question", others],
  ]);
});

test("a webhook that has no secret yet waits for one", async () => {
  const { server, create, call } = await serveManaged();
  const { uid } = await create({ name: "pay", auth_mode: "signature", signature_scheme: "stripe" });
  const title = "pay has no secret yet";
  expect((await read(server)).items).toMatchObject([
    { id: `sender_refused:${uid}`, kind: "sender_refused", title },
  ]);
  await call("POST", `/webhooks/${uid}/rotate-secret`, { body: { secret: "whsec_given" } });
  expect((await read(server)).items).toEqual([]);
});

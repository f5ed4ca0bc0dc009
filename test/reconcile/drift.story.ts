import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { ask } from "../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { ADMIN_KEY, run, type Server, waitFor } from "../given/server.ts";
import { syncedFactory } from "../given/serving.ts";

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
  "skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview it.\n",
  "skills/review/picture.png": Buffer.from([0x89, 0x50, 0xff, 0x00]),
  "README.md": "not part of it",
};

interface Drift {
  in_sync: boolean;
  changes: { action: string; kind: string; name: string }[];
  without_credential: string[];
}

const driftOf = (server: Server) => server.api<Drift>("GET", "/factories/acme/drift");

async function stage() {
  const factory = await syncedFactory(FILES);
  const { dataDir } = factory;
  /** Changes what is stored behind the back of the server, or while there is none. */
  const tamper = async (...statements: string[]) => {
    const connection = openSqlite(join(dataDir, "millrace.db"));
    for (const sql of statements) await connection.run(sql);
    connection.close();
  };
  const millrace = (server: Server, ...args: string[]) =>
    run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
  return { ...factory, tamper, millrace };
}

const NO_AUTOMATION =
  "UPDATE resources SET deleted_at = '2026-11-21T10:00:00.000Z' WHERE kind = 'automation'";
const OTHER_BODY = `UPDATE resources SET body = replace(body, '"name":"ci"', '"name":"ci","enabled":false') WHERE kind = 'webhook'`;

describe("the stored definition", () => {
  test("is compared with the active revision on request, including what was changed by hand", async () => {
    const { server, tamper, millrace } = await stage();
    expect(await driftOf(server)).toMatchObject({ in_sync: true, changes: [], without_credential: [] });
    expect((await millrace(server, "drift")).code).toBe(0);
    await tamper(NO_AUTOMATION, OTHER_BODY, "DELETE FROM webhook_credentials");
    expect(await driftOf(server)).toMatchObject({
      in_sync: false,
      changes: [
        { action: "create", kind: "automation", name: "a" },
        { action: "update", kind: "webhook", name: "ci" },
      ],
      without_credential: ["ci"],
    });
    const told = await millrace(server, "drift", "acme");
    expect([told.code, told.printed]).toEqual([1, expect.stringContaining("create automation a")]);
  });

  test("is corrected by the next start, with the same uids, and the history reports it", async () => {
    const { server, story, start, tamper } = await stage();
    const { uid } = await story.webhook("ci");
    await server.stop();
    await tamper(NO_AUTOMATION, OTHER_BODY, "DELETE FROM webhook_credentials");
    const again = await start();
    await waitFor(async () => (await driftOf(again.server)).in_sync);
    const webhook = await waitFor(async () => {
      const found = await again.story.webhook("ci");
      return found.status === "active" ? found : undefined;
    });
    expect(webhook).toMatchObject({ uid, enabled: true });
    expect((await again.story.deliver(webhook.url, "x", "{}")).status).toBe(202);
    const { revisions } = await again.server.api<{ revisions: object[] }>(
      "GET",
      "/factories/acme/revisions?limit=1",
    );
    expect(revisions).toMatchObject([{ asked_by: { reason: "start" }, outcome: "applied" }]);
  });
});

test("an export contains the active files byte for byte, and a plan of it changes nothing", async () => {
  const { repository, server, story, millrace } = await stage();
  repository.push({ "factory.yaml": "name: [" });
  await story.sync();
  const output = join(temporaryFolder(), "out");
  const exported = await millrace(server, "export", "--output", output, "--json");
  expect(JSON.parse(exported.printed).files).toEqual(
    Object.keys(FILES)
      .filter((path) => path !== "README.md")
      .sort(),
  );
  const planned = await millrace(server, "plan", output, "--format", "json");
  expect(JSON.parse(planned.printed)).toMatchObject({
    summary: { create: 0, update: 0, delete: 0, unchanged: 5 },
  });
  expect((await millrace(server, "export", "--output", output)).code).toBe(2);
  const { files } = await server.api<{ files: { path: string; encoding: string; content: string }[] }>(
    "GET",
    "/factories/acme/export",
  );
  expect(files.find(({ path }) => path.endsWith(".png"))).toEqual({
    path: "skills/review/picture.png",
    encoding: "base64",
    content: FILES["skills/review/picture.png"].toString("base64"),
  });
});

describe("a webhook whose store was lost", () => {
  test("gets its uid back, with its secret, its log and what names it, across restarts too", async () => {
    const { repository, server, story, start, millrace } = await stage();
    const { uid, url } = await story.webhook("ci");
    const former = "A1b2C3d4E5f6G7h8I9j0Kl";
    repository.push({
      "automations/b.md": automationOn(["ci"]).replace(
        'millrace: { webhooks: ["ci"] }',
        `filter: { webhook_ids: [${former}] }`,
      ),
    });
    const warned = await story.sync();
    expect(warned.sync.problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(former),
    );
    const delivery = await story.accept(url, "x", '"before"');

    const adopted = await millrace(server, "webhooks", "adopt", "ci", "--uid", former);
    expect([adopted.code, adopted.printed]).toEqual([0, expect.stringContaining(`/webhooks/w/${former}`)]);
    const webhook = await story.webhook("ci");
    expect(webhook).toMatchObject({ uid: former, status: "active" });
    expect((await story.deliver(url, "x", "1")).status).toBe(404);
    const second = await story.accept(webhook.url, "x", "2");
    expect((await story.delivery(second)).run_ids).toHaveLength(2);
    expect((await story.deliveries(former)).map(({ delivery_id }) => delivery_id)).toEqual([
      second,
      delivery,
    ]);
    await waitFor(async () =>
      (await story.factory()).sync.problems.every(({ message }) => !message.includes(former)),
    );
    await server.stop();
    const again = await start();
    expect(await again.story.webhook("ci")).toMatchObject({ uid: former, status: "active" });
    expect((await ask(again.server, "GET", `/factories/acme/webhooks/${uid}`)).status).toBe(404);
  });

  test("gets no uid that something else has or that is invalid, and only admins may give it one", async () => {
    const { server, story } = await stage();
    const { uid } = await story.webhook("ci");
    const { automations } = await server.api<{ automations: { uid: string }[] }>(
      "GET",
      "/factories/acme/automations",
    );
    const adopt = async (body: object, key = ADMIN_KEY) =>
      (await ask(server, "POST", `/factories/acme/webhooks/${uid}/adopt`, { body, key })).status;
    expect(await adopt({ uid: automations[0]?.uid })).toBe(409);
    expect(await adopt({ uid: "short" })).toBe(400);
    expect(await adopt({ uid })).toBe(200);
    const { key } = await server.api<{ key: string }>("POST", "/api-keys", { name: "op", role: "operator" });
    expect(await adopt({ uid: "A1b2C3d4E5f6G7h8I9j0Kl" }, key)).toBe(403);
    expect((await story.webhook("ci")).uid).toBe(uid);
  });
});

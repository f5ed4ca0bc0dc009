import { expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withFactoryLines } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { repositoryWith } from "../../given/repository.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

interface Plan {
  applicable: boolean;
  revision: string;
  changes: { action: string; kind: string; name: string }[];
  warnings: { code: string; blocking: boolean }[];
  traffic: { deliveries: number; automations: { name: string; before: number; after: number }[] };
}

const TOKEN = "the-token";
const WITH_WEBHOOK = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/built.md": automationOn(["ci"]) };

test("the plan of a rollback shows what it deletes, which runs no longer start, and changes nothing", async () => {
  const repository = repositoryWith(withFactoryLines("millrace: { pruneGuard: block }\n"));
  const first = repository.git("rev-parse", "HEAD");
  const server = await startServer({ sources: [repository.url] });
  await server.api("PUT", "/secrets/CI_SECRET", { value: TOKEN, shared: true });
  const story = storyOf(server);
  await story.sync();
  const second = repository.push(WITH_WEBHOOK);
  await story.sync();
  const { url } = await story.webhook("ci");
  await story.accept(url, TOKEN, '{"n":1}');

  const plan = await server.api<Plan>("POST", "/factories/acme/plan", { revision: first.slice(0, 9) });
  expect(plan).toMatchObject({ applicable: true, revision: first });
  const deleted = plan.changes.filter(({ action }) => action === "delete");
  expect(deleted.map(({ kind, name }) => [kind, name])).toEqual([
    ["automation", "built"],
    ["webhook", "ci"],
  ]);
  // Whoever goes back means what the revision lacks, as the rollback itself does.
  expect(plan.warnings).toContainEqual(
    expect.objectContaining({ code: "deletes_used_webhook", blocking: false }),
  );
  expect(plan.traffic.automations).toEqual([expect.objectContaining({ name: "built", before: 1, after: 0 })]);
  expect((await story.factory()).sync).toMatchObject({ applied_revision: second, status: "synced" });
  await server.api("POST", "/factories/acme/rollback", { revision: first });
  expect((await story.factory()).sync).toMatchObject({ applied_revision: first, status: "suspended" });
});

test("a rollback to what was never applied has no plan, for the reason that the rollback would give", async () => {
  const repository = repositoryWith(FACTORY);
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.sync();
  const broken = repository.push({ "factory.yaml": "name: [" });
  await story.sync();
  const key = await aKey(server, { role: "viewer" });
  const planOf = (revision: string, more = {}) =>
    ask(server, "POST", "/factories/acme/plan", { key, body: { revision, ...more } });
  expect((await planOf("f".repeat(40))).body).toMatchObject({ status: 404 });
  const refused = await planOf(broken);
  expect(refused.body).toMatchObject({
    status: 409,
    detail: expect.stringContaining("was attempted but never applied"),
  });
  expect((await planOf("main")).status).toBe(400);
  expect((await planOf(broken, { ref: "main" })).status).toBe(400);
});

test("a rollback of a folder has a plan only for the revision that it contains", async () => {
  const server = await startServer({ sources: [folderWith(FACTORY)] });
  const story = storyOf(server);
  await story.sync();
  const { applied_revision: revision } = (await story.factory()).sync;
  const plan = await server.api<Plan>("POST", "/factories/acme/plan", { revision });
  expect(plan.changes.every(({ action }) => action === "unchanged")).toBe(true);
});

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationWith, FACTORY, signatureWebhook } from "../given/definition.ts";
import { githubExample } from "../given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { startServer, waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const on = (filter: string) =>
  automationWith(`triggers: [{ provider: github, event: push, filter: ${filter} }]\n`);

const FILES = {
  ...FACTORY,
  "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
  "automations/anywhere.md": on("{}"),
  "automations/named.md": on("{ repos: [acme/shop, acme/other] }"),
};
const BRANCHES = {
  ...FACTORY,
  "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
  "automations/branch.md": on("{ branches: [main] }"),
};

async function push(story: ReturnType<typeof storyOf>, repository: string, branch = "main") {
  const { event, payload } = githubExample("push", undefined, {
    ref: `refs/heads/${branch}`,
    deleted: false,
    repository: { full_name: repository },
    nonce: Math.random(),
  });
  const body = JSON.stringify(payload);
  const signature = { "x-hub-signature-256": `sha256=${hmacOf(body)}`, "x-github-event": event };
  const answer = await post(await story.urlOf("github"), body, signature);
  const { delivery_id: id } = (await answer.json()) as { delivery_id: string };
  const runs = await Promise.all((await story.delivery(id)).run_ids.map(story.run));
  return { id, started: runs.map(({ agent_config }) => agent_config.name).sort() };
}

const stage = sharedByFile(() => serving(FILES, { HOOK_SECRET: SIGNING_SECRET }));

describe("a GitHub trigger without repos", () => {
  test("counts the repositories of the factory, and no others of the organization", async () => {
    const { story } = stage();
    expect((await push(story, "Acme/Shop")).started).toEqual(["anywhere", "named"]);
    expect((await push(story, "acme/other")).started).toEqual(["named"]);
  });

  test("says in explain that the repositories of the factory are meant", async () => {
    const { server, story } = stage();
    const { id } = await push(story, "acme/other");
    const explained = await server.api("GET", `/factories/acme/deliveries/${id}/explain`);
    expect(JSON.stringify(explained)).toContain("repositories of factory.yaml");
  });

  test("counts every repository where the factory has none", async () => {
    const files = Object.fromEntries(Object.entries(FILES).filter(([name]) => !(name in FACTORY)));
    const { story } = await serving(files, { HOOK_SECRET: SIGNING_SECRET });
    expect((await push(story, "acme/other")).started).toEqual(["anywhere", "named"]);
  });
});

test("the first apply after an upgrade warns by automation of what it drops, and how much that was", async () => {
  const { server, source, story } = await serving(FILES, { HOOK_SECRET: SIGNING_SECRET });
  for (const repository of ["acme/shop", "acme/other", "acme/other"]) await push(story, repository);
  await server.stop();
  forgetHowTriggersAreRead(join(server.dataDir, "millrace.db"));

  const upgraded = storyOf(await startServer({ sources: [source], dataDir: server.dataDir }));
  expect(await narrowingOf(upgraded)).toEqual([
    expect.objectContaining({
      severity: "warning",
      path: "automations/anywhere.md",
      message: expect.stringContaining("2 of the 3 deliveries"),
    }),
  ]);
  expect((await push(upgraded, "acme/other")).started).toEqual(["named"]);
});

test("a plan and the first apply after an upgrade say how many deliveries a branch no longer stands for", async () => {
  const { server, source, story } = await serving(BRANCHES, { HOOK_SECRET: SIGNING_SECRET });
  for (const branch of ["main", "main/hotfix", "main/other"]) await push(story, "acme/shop", branch);
  await server.stop();
  forgetHowTriggersAreRead(join(server.dataDir, "millrace.db"));
  // A file with an error keeps what the version before has applied in force.
  const broken = join(source, "automations", "broken.md");
  writeFileSync(broken, "---\ntriggers: 1\n---\n");

  const after = await startServer({ sources: [source], dataDir: server.dataDir });
  const upgraded = storyOf(after);
  const files = Object.entries(BRANCHES).map(([path, content]) => ({ path, content }));
  const plan = await after.api<{ warnings: object[] }>("POST", "/factories/acme/plan", { files });
  const message = expect.stringContaining("2 of the 3 deliveries");
  expect(plan.warnings).toContainEqual(expect.objectContaining({ code: "trigger_narrowed", message }));

  rmSync(broken);
  const warning = await narrowingOf(upgraded);
  expect(warning).toMatchObject([{ severity: "warning", path: "automations/branch.md", message }]);
  expect((await push(upgraded, "acme/shop", "main/hotfix")).started).toEqual([]);
});

/** What the first apply warns of. */
function narrowingOf(story: ReturnType<typeof storyOf>) {
  return waitFor(async () => {
    const { problems } = (await story.factory()).sync;
    const found = problems.filter(({ code }) => code === "FF_TRIGGER_NARROWED");
    return found.length > 0 ? found : undefined;
  });
}

/** Leaves automations in the store as the version before wrote them. */
function forgetHowTriggersAreRead(path: string): void {
  const handle = new BetterSqlite(path);
  const rows = handle.prepare("SELECT uid, body FROM resources WHERE kind = 'automation'").all() as {
    uid: string;
    body: string;
  }[];
  for (const { uid, body } of rows) {
    const automation = JSON.parse(body);
    for (const trigger of automation.triggers) {
      delete trigger.matching;
      delete trigger.repositories;
    }
    handle.prepare("UPDATE resources SET body = ? WHERE uid = ?").run(JSON.stringify(automation), uid);
  }
  handle.close();
}

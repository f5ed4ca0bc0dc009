import { join } from "node:path";
import { expect, test } from "vitest";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, writeFiles } from "../given/folder.ts";
import { startServer } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const SHOW = (name: string) =>
  `[${process.execPath}, -e, "console.log('${name}', ['A','B','C','D'].filter((n) => process.env[n]).join())"]`;

const listening = (lines: string) =>
  automationWith(
    `triggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]\n${lines}`,
  );

test("what factory, agent and automation say about a run is inherited from left to right", async () => {
  const files = {
    ...FACTORY,
    "factory.yaml": `schemaVersion: v1alpha1
name: acme
repositories: [{ owner: acme, name: shop }]
secrets: [A]
agentDefaults: { harness: { type: one, model: m }, secrets: [B] }
millrace: { repositories: optional }
`,
    "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nBoss.\n",
    "agents/helper/agent.md": "---\nharness: { type: two, model: n }\nsecrets: [C]\n---\nHelper.\n",
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/defaults/automation.md": listening(""),
    "automations/of-helper/automation.md": listening("agent: helper\n"),
    "automations/own/automation.md": listening("agent: helper\nharness: { model: o }\nsecrets: [D]\n"),
  };
  const settings = join(
    folderWith({
      "m.yaml": `harnesses:\n  one: { command: ${SHOW("one")} }\n  two: { command: ${SHOW("two")} }\n`,
    }),
    "m.yaml",
  );
  const server = await startServer({ sources: [folderWith(files)], args: ["--config", settings] });
  const story = storyOf(server);
  for (const name of ["A", "B", "C", "D", "CI_SECRET"]) await story.setSecret(name, "the-value");
  await story.sync();
  const { run_ids } = await story.delivery(
    await story.accept((await story.webhook("ci")).url, "the-value", "{}"),
  );
  const ended = await Promise.all(run_ids.map((id) => story.ended(id)));
  const seen = await Promise.all(
    ended.map(async (run) => [
      run.title,
      run.creator.display_name,
      run.agent_config?.model_id,
      await story.transcript(run.run_id),
    ]),
  );
  expect(seen.sort()).toEqual([
    ["defaults", "boss", "m", "one A,B\n"],
    ["of-helper", "helper", "n", "two A,C\n"],
    ["own", "helper", "o", "two A,D\n"],
  ]);
});

test("a disabled automation starts nothing", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/off.md": listening("enabled: false\n"),
  };
  const { story } = await serving(files, { CI_SECRET: "x" });
  const id = await story.accept((await story.webhook("ci")).url, "x", "{}");
  expect((await story.delivery(id)).run_ids).toEqual([]);
});

test("an automation listens to a webhook by its uid, and to no other", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "webhooks/cd.yaml": TOKEN_WEBHOOK };
  const folder = folderWith(files);
  const server = await startServer({ sources: [folder] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const [ci, cd] = [await story.webhook("ci"), await story.webhook("cd")];
  const filter = `{ webhook_ids: [${ci.uid}] }`;
  writeFiles(folder, {
    "automations/a.md": automationWith(
      `triggers: [{ provider: webhook, event: received, filter: ${filter} }]\n`,
    ),
  });
  await story.sync();
  const runsOf = async (url: string) =>
    (await story.delivery(await story.accept(url, "x", "{}"))).run_ids.length;
  expect([await runsOf(ci.url), await runsOf(cd.url)]).toEqual([1, 0]);
});

test("the smallest shape, without factory.yaml, is served with its default agent", async () => {
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": listening("") };
  const source = folderWith(files);
  const server = await startServer({ sources: [source], agent: "console.log('ran')" });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  const factory = await story.sync();
  expect(factory.name).toBe(source.split("/").at(-1));
  expect(factory.sync.problems).toEqual([
    expect.objectContaining({ severity: "notice", code: "FF_MISSING_FACTORY" }),
  ]);
  const run = await story.endedRunOf(await story.accept((await story.webhook("ci")).url, "x", "{}"));
  expect(run).toMatchObject({
    state: "SUCCEEDED",
    creator: { type: "service_account", display_name: "default" },
  });
  expect(await story.transcript(run.run_id)).toBe("ran\n");
});

test("an automation selects webhooks by uid as well as by name", async () => {
  const source = folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK });
  const server = await startServer({ sources: [source] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  const trigger = (ids: string) =>
    automationWith(`triggers: [{ provider: webhook, event: received, filter: { webhook_ids: ${ids} } }]\n`);
  const { writeFiles } = await import("../given/folder.ts");
  writeFiles(source, {
    "automations/by-uid.md": trigger(`[${uid}]`),
    "automations/by-in.md": trigger(`{ in: [${uid}] }`),
    "automations/by-nobody.md": trigger("[nobody]"),
  });
  const { sync } = await story.sync();
  expect(sync.status).toBe("synced");
  expect(sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      path: "automations/by-nobody.md",
      message: expect.stringContaining('"nobody"'),
    }),
  );
  const { run_ids } = await story.delivery(await story.accept(url, "x", "{}"));
  const titles = await Promise.all(run_ids.map(async (id) => (await story.run(id)).title));
  expect(titles.sort()).toEqual(["by-in", "by-uid"]);
});

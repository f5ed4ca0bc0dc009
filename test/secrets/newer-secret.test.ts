import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

test("a webhook tells that its secret has a newer value, from the store or from outside, until that counts", async () => {
  const repository = repositoryWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/file.yaml": "secretName: FROM_FILE\n",
  });
  const file = join(folderWith({ secret: "first-value" }), "secret");
  const config = join(temporaryFolder(), "millrace.yaml");
  writeFileSync(config, JSON.stringify({ secrets: { FROM_FILE: { file } } }));
  const server = await startServer({ sources: [repository.url], args: ["--config", config] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "first-value");
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  const newer = async () => [
    (await story.webhook("ci")).has_newer_secret,
    (await story.webhook("file")).has_newer_secret,
  ];
  expect(await newer()).toEqual([false, false]);

  await story.setSecret("CI_SECRET", "second-value");
  expect(await newer()).toEqual([true, false]);
  writeFileSync(file, "second-value");
  expect(await newer()).toEqual([true, true]);
  await story.setSecret("CI_SECRET", "first-value");
  expect(await newer()).toEqual([false, true]);
  const shown = await run(["webhooks", "show", "file"], {
    MILLRACE_SERVER: server.url,
    MILLRACE_API_KEY: ADMIN_KEY,
  });
  expect(shown.printed).toContain("FROM_FILE (a newer value");

  repository.push({});
  await story.sync();
  expect(await newer()).toEqual([false, false]);
});

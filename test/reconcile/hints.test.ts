import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, writeFiles } from "../given/folder.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import type { Factory } from "../given/story.ts";

test("a missing secret is told with the command that sets it, under the name that the factory has now", async () => {
  const files = {
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "'two words'"),
  };
  const folder = folderWith(files);
  const server = await startServer({ sources: [folder] });
  const sync = async () => {
    const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
    return server.api<Factory>("POST", `/factories/${factories[0]?.uid}/sync?wait=true`);
  };
  await waitFor(async () => (await sync()).sync.status === "synced");
  // What comes names it anew, and does not come into force.
  // The webhook is written first: without it, the server could apply the new name in between.
  writeFiles(folder, { "webhooks/ci.yaml": TOKEN_WEBHOOK, ...FACTORY });
  const { name, sync: failed } = await sync();
  expect([name, failed.status]).toEqual(["two words", "failed"]);
  expect(failed.problems[0]?.message).toContain("`millrace secrets set CI_SECRET --factory 'two words'`");

  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const set = await run(["secrets", "set", "CI_SECRET", "--factory", "two words"], env, "value");
  expect([set.code, set.said]).toEqual([0, ""]);
  await waitFor(async () => (await sync()).name === "acme");
});

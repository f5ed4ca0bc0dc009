import { join } from "node:path";
import { expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

test("who rotates the secret of a webhook that is not there any more is told to set it for the factory", async () => {
  const source = folderWith({
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "two words"),
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
  });
  const dataDir = join(temporaryFolder(), "data");
  const value = join(folderWith({ value: "the-token-of-the-ci-webhook" }), "value");
  const settings = folderWith({
    "millrace.yaml": `secrets:\n  CI_SECRET: { file: ${value}, shared: true }\n`,
  });
  const server = await startServer({
    sources: [source],
    dataDir,
    args: ["--config", join(settings, "millrace.yaml")],
  });
  await storyOf(server).sync();
  await server.stop();
  const again = await startServer({ sources: [source], dataDir });
  const kept = managedBy(again, "two words");
  const [webhook] = await kept.webhooks();
  const remedyNow = async () =>
    (await kept.call("POST", `/webhooks/${webhook?.uid}/rotate-secret`)).body.remedy;
  const sync = "then run `millrace sync 'two words'`.";
  expect(await remedyNow()).toBe(`Run \`millrace secrets set CI_SECRET --factory 'two words'\`, ${sync}`);
  // One that is there keeps its scope, which the option would change.
  await storyOf(again).setSecret("CI_SECRET", "the-next-token-of-the-webhook");
  expect(await remedyNow()).toBe(`Run \`millrace secrets set CI_SECRET\`, ${sync}`);
});

test("a webhook uses the suggested name for its secret, unless another is given", async () => {
  const { server, create } = await serveManaged();
  const suggested = async (webhook: string) =>
    (await ask(server, "GET", `/factories/default/suggested-secret-name?webhook=${webhook}`)).body;
  expect(await suggested("night%20build")).toEqual({ secret_name: "NIGHT_BUILD_WEBHOOK_SECRET" });
  expect((await create({ name: "night-build" })).secret_name).toBe("NIGHT_BUILD_WEBHOOK_SECRET");
  expect(await suggested("night%20build")).toEqual({ secret_name: "NIGHT_BUILD_WEBHOOK_SECRET_2" });
  const path = "/factories/default/suggested-secret-name";
  expect((await ask(server, "GET", path)).status).toBe(400);
  const key = await aKey(server, { role: "operator" });
  expect((await ask(server, "GET", `${path}?webhook=ci`, { key })).status).toBe(403);
});

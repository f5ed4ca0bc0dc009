import { expect, test } from "vitest";
import { TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { keeping } from "../given/kept.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const FILES = {
  ...withFactoryLines("secrets: [GRANTED]\n"),
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
};

test("whoever sets a secret is told what tries again, and what waits for a commit", async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  const set = async (value: string) => {
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const { code, printed } = await run(["secrets", "set", "CI_SECRET"], env, value);
    expect(code).toBe(0);
    return printed;
  };
  await story.setSecret("GRANTED", "x");
  await waitFor(async () => (await story.factory()).sync.status === "failed");
  expect(await set("first")).not.toContain("next commit");
  await waitFor(async () => (await story.factory()).sync.status === "synced");

  expect(await set("second")).toContain("acme: the webhook ci takes it with the next commit");
  const url = await story.urlOf("ci");
  expect((await story.deliver(url, "first", "1")).status).toBe(202);
  repository.push({});
  await story.sync();
  expect((await story.deliver(url, "second", "2")).status).toBe(202);
  expect(await set("second")).not.toContain("next commit");
});

test("of a definition that millrace keeps, a change of it is what the value waits for", async () => {
  const { server, create } = await keeping();
  const { secret_name } = await create({ name: "ci" });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await run(["secrets", "set", secret_name], env, "another");
  expect(printed).toContain("default: the webhook ci takes it with the next change of the definition;");
});

test("a secret that agents lack keeps a definition from coming into force until it is set", async () => {
  const repository = repositoryWith(FILES);
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "first");
  const errors = async () => {
    const { sync } = await story.factory();
    return sync.problems.filter(({ severity }) => severity === "error");
  };
  const [missing] = await waitFor(async () => {
    const found = await errors();
    return found.length === 1 ? found : undefined;
  });
  expect(missing).toMatchObject({ path: "factory.yaml", line: 5, code: "FF_INVALID_REFERENCE" });
  expect(missing?.message).toContain("millrace secrets set GRANTED");
  expect((await story.factory()).sync.status).toBe("failed");

  await story.setSecret("GRANTED", "x");
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  expect(await errors()).toEqual([]);
  expect((await story.deliver(await story.urlOf("ci"), "first", "1")).status).toBe(202);
});

import { expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

interface Asked {
  run_id: string;
}

/** A server with a factory, to which another one is added. */
async function withSecondFactory(env: Record<string, string> = {}) {
  const server = await startServer({ sources: [folderWith(FACTORY)], env, agent: "true" });
  const story = storyOf(server);
  await story.sync();
  const made = await ask<{ warning?: string }>(server, "POST", "/factories", { body: { name: "second" } });
  expect(made.status).toBe(201);
  return { server, story, warning: made.body.warning };
}

test("a second factory is warned of in the answer that makes it, with what changes and what to set", async () => {
  const { server, warning } = await withSecondFactory();
  expect(warning).toMatch(/second factory.*no factory from now on.*MILLRACE_DEFAULT_FACTORY=acme/);
  const third = await ask<{ warning?: string }>(server, "POST", "/factories", { body: { name: "third" } });
  expect(third.body.warning).toBeUndefined();
});

test("the timeline of a run says that it went without a factory because there are several", async () => {
  const { server, story } = await withSecondFactory();
  const { run_id } = await server.api<Asked>("POST", "/agent/runs", { prompt: "Go." });
  const run = await story.ended(run_id);
  expect(run.factory_uid).toBeUndefined();
  expect(JSON.stringify(await story.timeline(run_id))).toContain("the run belongs to no factory");
});

test("a run that names nobody belongs to the factory of the settings, by its name or its uid", async () => {
  const { server, story, warning } = await withSecondFactory({ MILLRACE_DEFAULT_FACTORY: "acme" });
  expect(warning).toBeUndefined();
  const { uid } = await server.api<{ uid: string }>("GET", "/factories/acme");
  const { run_id } = await server.api<Asked>("POST", "/agent/runs", { prompt: "Go." });
  expect(await story.ended(run_id)).toMatchObject({ factory_uid: uid });
  expect(JSON.stringify(await story.timeline(run_id))).not.toContain("belongs to no factory");
});

test("a default factory that is not there is told to whoever asks for a run", async () => {
  const { server } = await withSecondFactory({ MILLRACE_DEFAULT_FACTORY: "acmee" });
  const asked = await ask<{ detail: string }>(server, "POST", "/agent/runs", { body: { prompt: "Go." } });
  expect([asked.status, JSON.stringify(asked.body)]).toEqual([
    409,
    expect.stringContaining("MILLRACE_DEFAULT_FACTORY"),
  ]);
});

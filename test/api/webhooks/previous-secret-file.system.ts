import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { ask } from "../../given/ask.ts";
import { movableClock } from "../../given/clockwork.ts";
import { FACTORY, withFactoryLines } from "../../given/definition.ts";
import { onSqlite } from "../../given/postgres.ts";
import { repositoryWith } from "../../given/repository.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

type Models = components["schemas"];

const HOUR = 3_600_000;
const webhook = (more = "") => `secretName: NEW_SECRET\n${more}`;
const previous = (until: string) =>
  webhook(`millrace: { previousSecretName: OLD_SECRET, until: ${until} }\n`);

// With PostgreSQL, the clock of the database counts, which nobody moves here.
onSqlite(
  "a webhook accepts the secret that its file names as the previous one, until the time in it",
  async () => {
    const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + HOUR).toISOString();
    const repository = repositoryWith({ ...FACTORY, "webhooks/ci.yaml": previous(until) });
    const clock = movableClock();
    const server = await startServer({
      ...{ sources: [repository.url], sharesProcess: false },
      env: { ...clock.env, MILLRACE_POLL_INTERVAL: "1h" },
    });
    const story = storyOf(server);
    for (const [name, value] of Object.entries({ NEW_SECRET: "the-new-one", OLD_SECRET: "the-old-one" }))
      await story.setSecret(name, value);
    await story.sync();
    const { uid, url } = await story.webhook("ci");
    const tried = async (...secrets: string[]) =>
      Promise.all(
        secrets.map(async (secret) => (await story.deliver(url, secret, `{"n":${Math.random()}}`)).status),
      );
    const shown = async () => (await story.webhook("ci")).previous_secret?.until ?? null;

    expect(await tried("the-new-one", "the-old-one", "neither")).toEqual([202, 202, 401]);
    expect(await shown()).toBe(until);
    // The file is what ends it.
    const { status, body } = await ask<Models["Error"]>(
      server,
      "POST",
      `/factories/acme/webhooks/${uid}/end-overlap`,
    );
    expect([status, body.remedy]).toEqual([422, expect.stringContaining("millrace.previousSecretName")]);
    expect(await tried("the-old-one")).toEqual([202]);
    clock.set(HOUR + 2_000);
    await waitFor(async () => (await shown()) === null);
    expect(await tried("the-new-one", "the-old-one")).toEqual([202, 401]);
    clock.set(0);
    await waitFor(async () => (await shown()) !== null);
    expect(await tried("the-old-one")).toEqual([202]);

    repository.push({ "webhooks/ci.yaml": webhook() });
    await story.sync();
    await waitFor(async () => (await shown()) === null);
    expect(await tried("the-new-one", "the-old-one")).toEqual([202, 401]);
  },
);

test("a previous secret without a value is a warning, and accepted once it has one", async () => {
  const repository = repositoryWith({ ...FACTORY, "webhooks/ci.yaml": previous("2126-01-01T00:00:00Z") });
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.setSecret("NEW_SECRET", "the-new-one");
  const { sync } = await story.sync();
  expect(sync.problems).toMatchObject([
    { code: "FF_INVALID_REFERENCE", severity: "warning", path: "webhooks/ci.yaml", line: 2 },
  ]);
  const { url, previous_secret } = await story.webhook("ci");
  expect(previous_secret).toBeNull();
  expect((await story.deliver(url, "the-new-one", "{}")).status).toBe(202);
  await story.setSecret("OLD_SECRET", "the-old-one");
  expect((await story.sync()).sync.problems).toEqual([]);
  await waitFor(async () => (await story.webhook("ci")).previous_secret !== null);
  expect((await story.deliver(url, "the-old-one", '{"n":1}')).status).toBe(202);
});

test("an agent is granted neither the secret of a webhook nor its previous one", async () => {
  const agent = `
    import { writeFileSync, mkdirSync } from "node:fs";
    mkdirSync("artifacts");
    const { OLD_SECRET = "", NEW_SECRET = "", OTHER_SECRET = "" } = process.env;
    writeFileSync("artifacts/seen", JSON.stringify([OLD_SECRET, NEW_SECRET, OTHER_SECRET.length]));`;
  const files = withFactoryLines("secrets: [OLD_SECRET, NEW_SECRET, OTHER_SECRET]\n");
  const { server, story } = await serving(
    { ...files, "webhooks/ci.yaml": previous("2126-01-01T00:00:00Z") },
    { NEW_SECRET: "the-new-one", OLD_SECRET: "the-old-one", OTHER_SECRET: "another one" },
    { agent },
  );
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Look." });
  const { artifacts = [] } = await story.ended(run_id);
  const { body } = await ask(server, "GET", `/agent/artifacts/${artifacts[0]?.data.artifact_uid}/download`);
  expect(body.text).toBe('["","",11]');
});

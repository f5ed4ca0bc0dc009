import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

/** Takes a moment to end when it is asked to. */
const SLOW_TO_END = `
  process.on("SIGTERM", () => setTimeout(() => process.exit(0), 1_000));
  setInterval(() => {}, 1_000);
  console.log("at work");
`;

test("while its agents end, a server is not ready any more, and takes deliveries all the same", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  const server = await startServer({ sources: [folderWith(files)], agent: SLOW_TO_END });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const url = await story.urlOf("ci");
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Work." });
  await waitFor(async () => (await story.transcript(run_id)).includes("at work"));
  expect((await server.fetch("/readyz")).status).toBe(200);
  const stopped = server.stop();
  const answer = await waitFor(async () => {
    const asked = await server.fetch("/readyz");
    return asked.status === 503 ? asked : undefined;
  });
  expect(await answer.json()).toMatchObject({ detail: "The server is stopping." });
  expect((await story.deliver(url, "the-token", "{}")).status).toBe(202);
  expect(await stopped).toBe(0);
});

test("a fresh server that keeps its factory itself is ready as soon as it answers", async () => {
  const server = await startServer({ sources: [] });
  expect((await server.fetch("/healthz")).status).toBe(200);
  expect((await server.fetch("/readyz")).status).toBe(200);
  const { sync } = await server.api<{ sync: { status: string } }>("GET", "/factories/default");
  expect(sync.status).toBe("synced");
});

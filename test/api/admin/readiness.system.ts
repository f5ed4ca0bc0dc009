import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { acmeServer, aKey, ask } from "../../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";
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

type Models = components["schemas"];

test("one answer lists the latest deliveries of each webhook, and another counts those of one webhook", async () => {
  const server = await acmeServer();
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const { url, uid } = await story.webhook("ci");
  await story.accept(url, "the-token", '{"n":1}');
  for (let n = 0; n < 21; n += 1) await story.deliver(url, "wrong", "{}");
  const { body } = await ask<Models["WebhookActivityList"]>(server, "GET", "/activity/webhooks");
  expect(body.webhooks).toMatchObject([{ uid, name: "ci", factory: "acme" }]);
  expect(body.webhooks[0]?.latest.map(({ outcome }) => outcome)).toEqual(Array(20).fill("Rejected (auth)"));
  const traffic = await ask<Models["WebhookTraffic"]>(
    server,
    "GET",
    `/factories/acme/webhooks/${uid}/traffic`,
  );
  expect(traffic.body).toEqual({
    deliveries: 22,
    deliveries_7_days: 22,
    last_delivery_at: body.webhooks[0]?.latest[0]?.time,
  });
  const ofFactory = await ask<Models["WebhookActivityList"]>(
    server,
    "GET",
    "/activity/webhooks?factory=acme",
  );
  expect(ofFactory.body).toEqual(body);
  expect((await ask(server, "GET", "/activity/webhooks?factory=nobody")).status).toBe(404);
});

test("a key sees the activity of webhooks in the factories that it reaches, and no others", async () => {
  const { server, acme } = await twoFactories(
    { "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { secrets: { CI_SECRET: "the-token" } },
  );
  const factoriesFor = async (key?: string) => {
    const { body } = await ask<Models["WebhookActivityList"]>(server, "GET", "/activity/webhooks", {
      ...(key === undefined ? {} : { key }),
    });
    return body.webhooks.map(({ factory }) => factory).sort();
  };
  expect(await factoriesFor()).toEqual(["acme", "other"]);
  expect(await factoriesFor(await aKey(server, { factories: [acme] }))).toEqual(["acme"]);
});

interface Activity extends Record<string, unknown> {
  hours: {
    at: string;
    accepted: number;
    duplicates: number;
    rejected: number;
    runs: number;
    runs_failed: number;
  }[];
}

test("deliveries and runs are counted by the hour, for the factories that a key reaches", async () => {
  const server = await acmeServer({ agent: "process.exit(1)" });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const { url } = await story.webhook("ci");
  const id = await story.accept(url, "the-token", '{"n":1}');
  await story.accept(url, "the-token", '{"n":1}');
  await story.deliver(url, "wrong", '{"n":2}');
  await story.endedRunOf(id);

  const activity = async (query = "", key?: string) =>
    (await ask<Activity>(server, "GET", `/activity${query}`, key === undefined ? {} : { key })).body.hours;
  const all = await activity();
  expect(all).toHaveLength(24);
  const sum = (hours: Activity["hours"]) => {
    const total = { accepted: 0, duplicates: 0, rejected: 0, runs: 0, runs_failed: 0 };
    for (const hour of hours)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += hour[name];
    return total;
  };
  const ofFactory = { accepted: 1, duplicates: 1, rejected: 1 };
  expect(sum(all)).toMatchObject(ofFactory);
  expect(sum(await activity("?hours=2&factory=acme"))).toMatchObject(ofFactory);
  expect(sum(await activity("?factory=acme")).runs).toBeGreaterThanOrEqual(1);
  const limited = await aKey(server, { factories: ["acme"] });
  expect(sum(await activity("", limited))).toMatchObject(ofFactory);
  expect((await ask(server, "GET", "/activity?factory=nobody")).status).toBe(404);
});

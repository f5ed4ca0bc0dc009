import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { acmeServer, aKey, ask } from "../../given/ask.ts";
import { TOKEN_WEBHOOK } from "../../given/definition.ts";
import { storyOf } from "../../given/story.ts";
import { twoFactories } from "../../given/two-factories.ts";

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

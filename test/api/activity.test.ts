import { expect, test } from "vitest";
import { acmeServer, aKey, ask } from "../given/ask.ts";
import { storyOf } from "../given/story.ts";

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

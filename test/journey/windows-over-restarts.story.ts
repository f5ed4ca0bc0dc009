import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { movableClock } from "../given/clockwork.ts";
import { automationOn, TOKEN_WEBHOOK } from "../given/definition.ts";
import { crash } from "../given/server.ts";

const TOKEN = "the-token";
const DAY_MS = 86_400_000;
const AGENT = 'import { readdirSync } from "node:fs"; console.log(readdirSync("event-payloads").length);';

/** A server with a run of two deliveries, whose window is open for an hour. */
async function withOpenWindow() {
  const clock = movableClock();
  const block = '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1h } }';
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]).replace("---\n", `---\nmillrace: ${block}\n`),
  };
  const options = { files, env: clock.env, sharesProcess: false };
  const before = await serverWithAgent(AGENT, options);
  await before.story.setSecret("CI_SECRET", TOKEN);
  await before.story.sync();
  const url = await before.story.urlOf("ci");
  const ids = [];
  for (const n of [1, 2]) ids.push(await before.story.accept(url, TOKEN, JSON.stringify({ pr: 7, n })));
  const [run = ""] = (await before.story.delivery(ids[0] ?? "")).run_ids;
  expect((await before.story.run(run)).waiting?.reason).toBe("window");
  const restart = () => serverWithAgent(AGENT, { ...options, before });
  return { clock, before, run, restart };
}

describe("an open window", () => {
  test("ends at the start of a server after a crash and a day", async () => {
    const { clock, before, run, restart } = await withOpenWindow();
    await crash(before.server);
    clock.set(DAY_MS);
    const after = await restart();
    expect((await after.story.ended(run, 60)).state).toBe("SUCCEEDED");
    expect(await after.story.transcript(run)).toContain("2");
    expect(await after.story.runs()).toHaveLength(1);
    await after.server.stop();
  });

  test("stays open over a crash, and takes what comes then", async () => {
    const { clock, before, run, restart } = await withOpenWindow();
    await crash(before.server);
    const after = await restart();
    const id = await after.story.accept(await after.story.urlOf("ci"), TOKEN, '{"pr":7,"n":3}');
    expect((await after.story.delivery(id)).run_ids).toEqual([run]);
    clock.set(2 * 3_600_000);
    expect((await after.story.ended(run, 60)).state).toBe("SUCCEEDED");
    expect(await after.story.transcript(run)).toContain("3");
    await after.server.stop();
  });

  test("ends at the start after the clock was set back by a day, and the next two deliveries are one run", async () => {
    const { clock, before, run, restart } = await withOpenWindow();
    await before.server.stop();
    clock.set(-DAY_MS);
    const after = await restart();
    expect((await after.story.ended(run)).state).toBe("SUCCEEDED");
    const url = await after.story.urlOf("ci");
    const runs = new Set<string>();
    for (const n of [3, 4]) {
      const id = await after.story.accept(url, TOKEN, JSON.stringify({ pr: 7, n }));
      for (const each of (await after.story.delivery(id)).run_ids) runs.add(each);
    }
    expect([runs.size, runs.has(run)]).toEqual([1, false]);
    await after.server.stop();
  });

  test("ends when the clock is set back by a day", async () => {
    const { clock, before, run } = await withOpenWindow();
    clock.set(-DAY_MS);
    expect((await before.story.ended(run, 60)).state).toBe("SUCCEEDED");
    await before.server.stop();
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { onFinished } from "../given/cleanup.ts";
import { movableClock } from "../given/clockwork.ts";
import { folderWith } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const RUNS = Number(process.env.RUNS ?? 12);
const KILLS = 3;
const MINUTE = 60_000;

/** Asks its provider once a turn, in the format of claude, and reports a turn that does not continue its session. */
const AGENT = `
  const say = (event) => console.log(JSON.stringify(event));
  const id = process.env.MILLRACE_RUN_ID;
  const turn = Number(process.env.MILLRACE_TURN);
  const session = process.argv[2] ?? "session-" + id;
  say({ type: "system", subtype: "init", session_id: session });
  const isLost = session !== "session-" + id || (turn > 1) !== (process.argv[2] !== undefined);
  const { status } = await fetch(process.env.PROVIDER, { method: "POST", body: id + (isLost ? " lost" : "") });
  const isOut = status !== 200;
  say({ type: "result", is_error: isOut, result: isOut ? 'API Error: 529 {"error":{"type":"overloaded_error"}}' : "done" });
  process.exit(isOut ? 1 : 0);`;

/** A provider that answers 529 for as long as it is out, and writes down who asks. */
async function aProvider() {
  const provider = { isOut: true, calls: new Map<string, number>(), lost: [] as string[], url: "" };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [run = "", lost] = body.split(" ");
    if (lost) provider.lost.push(run);
    provider.calls.set(run, (provider.calls.get(run) ?? 0) + 1);
    response.statusCode = provider.isOut ? 529 : 200;
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onFinished(() => void server.close());
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return provider;
}

interface Hold {
  until: string;
}

test(
  `a provider that is out for 30 minutes under ${RUNS} runs fails none, costs each 3 calls at most, and loses no session when the server is killed`,
  async () => {
    const provider = await aProvider();
    const clock = movableClock();
    const folder = folderWith({ "agent.mjs": AGENT });
    const command = [process.execPath, join(folder, "agent.mjs")];
    const flaky = {
      ...{ command, resume: [...command, "{session}"], output: "claude" },
      environment: { PROVIDER: provider.url },
    };
    const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { flaky } }) }), "m.yaml");
    const options = {
      files: { "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: { type: flaky }\n---\n" },
      env: { ...clock.env, MILLRACE_RUN_CONCURRENCY: "4" },
      args: ["--config", config],
      sharesProcess: false,
    };
    const made = await serverWithAgent("", options);
    let { server } = made;
    const ids = await Promise.all(Array.from({ length: RUNS }, () => made.start()));
    const holds = async () => (await server.api<{ holds: Hold[] }>("GET", "/holds")).holds;

    /** When the hold ends that all runs wait for, none of them at work and none about to ask first. */
    async function heldUntil(): Promise<number | undefined> {
      const story = storyOf(server);
      for (const id of ids) if ((await story.run(id)).waiting?.reason !== "provider_limit") return undefined;
      const [hold] = await holds();
      return hold && Date.parse(hold.until);
    }

    const backAt = Date.now() + 30 * MINUTE;
    let kills = 0;
    for (let until = 0; until < backAt; ) {
      until = await waitFor(heldUntil, 30 + RUNS);
      const shift = Math.min(until, backAt) - Date.now();
      if (kills < KILLS) {
        kills += 1;
        await server.kill();
        clock.set(shift);
        ({ server } = await serverWithAgent("", { ...options, before: { ...made, server } }));
      } else clock.set(shift);
      if (until >= backAt) break;
      await waitFor(async () => (await holds())[0]?.until !== new Date(until).toISOString() || undefined, 30);
    }
    provider.isOut = false;
    // The one that asks next ends the hold.
    const [last] = await holds();
    if (last) clock.set(Date.parse(last.until) - Date.now() + 1_000);
    const story = storyOf(server);
    const ended = await Promise.all(ids.map((id) => story.ended(id, 60 + RUNS)));
    expect(ended.filter(({ state }) => state !== "SUCCEEDED")).toEqual([]);
    expect(provider.lost).toEqual([]);
    expect([...provider.calls.keys()].sort()).toEqual([...ids].sort());
    expect(Math.max(...provider.calls.values())).toBeLessThanOrEqual(4);
    expect(kills).toBe(KILLS);
  },
  120_000 + RUNS * 3_000,
);

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasEnded } from "../../../src/runs/rules/state.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const KILLS = 5;
const AT_ONCE = 6;

test(`through ${KILLS} kills of the server, no wrong answer is repaired twice, and none without a repair fails its run`, async () => {
  const options = {
    sources: [folderWith(FACTORY)],
    dataDir: join(temporaryFolder("repaired-answers"), "data"),
    agent: 'console.log("no JSON");',
    env: { MILLRACE_RUN_CONCURRENCY: "3" },
    sharesProcess: false,
  };
  let server = await startServer(options);
  await storyOf(server).sync();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const asked = Array.from({ length: AT_ONCE }, () =>
      server.api("POST", "/agent/runs", { prompt: "Do it.", config: { output_schema: { type: "object" } } }),
    );
    await Promise.all(asked);
    await sleep(Math.random() * 600);
    await server.kill();
    server = await startServer(options);
    await storyOf(server).sync();
  }

  const story = storyOf(server);
  const runs = await waitFor(async () => {
    const found = await story.runs();
    return found.every(({ state }) => hasEnded(state)) ? found : undefined;
  }, 60);
  expect(runs).toHaveLength(KILLS * AT_ONCE);
  const repaired = [];
  for (const { run_id, state, status_message: status } of runs) {
    const { messages } = await server.api<{ messages: { text: string }[] }>(
      "GET",
      `/agent/runs/${run_id}/conversation`,
    );
    const repairs = messages.filter(({ text }) => text.includes("was not accepted")).length;
    const events = await story.timeline(run_id);
    const turns = events.filter(({ event_type }) => event_type === "agent_started").length;
    expect(repairs).toBeLessThanOrEqual(1);
    expect(turns).toBeLessThanOrEqual(2);
    // A turn that was lost with the server has an answer that no one knows.
    const isLost = status?.error_code === "infrastructure_timeout";
    if (!isLost)
      expect([state, status?.error_code, repairs, turns]).toEqual(["FAILED", "invalid_answer", 1, 2]);
    if (!isLost) repaired.push(run_id);
  }
  expect(repaired.length).toBeGreaterThan(0);
}, 300_000);

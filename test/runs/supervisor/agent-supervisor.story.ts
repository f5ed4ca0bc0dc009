import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { processesWith, SANDBOXES, serverWithSandbox, WORKS_ONCE } from "../../given/isolated.ts";
import { agentHostOf } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

describe.each(SANDBOXES)("under %s", (sandbox) => {
  test("runs whose supervisor ended are ERROR with nothing left of them, and the next runs get a new one", async () => {
    const { start, server, story } = await serverWithSandbox(sandbox, WORKS_ONCE, {
      sharesProcess: false,
    });
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    process.kill(agentHostOf(server), "SIGKILL");
    expect(await story.ended(id)).toMatchObject({
      state: "ERROR",
      status_message: {
        message: expect.stringContaining("The agent supervisor crashed"),
      },
    });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "Once more." });
    expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  });

  test("nothing is left of runs that are cancelled while they begin", async () => {
    const stubborn = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;
    const { start, server, story } = await serverWithSandbox(sandbox, stubborn, {
      env: { MILLRACE_RUN_CONCURRENCY: "8" },
    });
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const id = await start();
        await sleep(n * 15);
        await server.api("POST", `/agent/runs/${id}/cancel`);
        return id;
      }),
    );
    for (const id of ids) {
      expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
      expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
    }
  }, 60_000);
});

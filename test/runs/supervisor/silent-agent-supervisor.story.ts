import { describe, expect, test } from "vitest";
import { processesWith, SANDBOXES, serverWithSandbox, WORKS_ONCE } from "../../given/isolated.ts";
import { agentHostOf } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

describe.each(SANDBOXES)("under %s", (sandbox) => {
  test("a supervisor that does not respond is ended, so that its runs can end", async () => {
    const { start, server, story } = await serverWithSandbox(sandbox, WORKS_ONCE);
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    process.kill(agentHostOf(server), "SIGSTOP");
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id, 50)).toMatchObject({ state: "CANCELLED" });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  }, 90_000);
});

import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { aWaitingFamily, waitingAgent } from "../../given/family.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { run, waitFor } from "../../given/server.ts";

describe("a run that waits for the runs that it has started", () => {
  test("does not hold up a server that stops, and goes on when the server has started again", async () => {
    const env = { MILLRACE_DRAIN_TIMEOUT: "10m" };
    const family = await aWaitingFamily(["one"], { sharesProcess: false, env });
    const { wait, touch, resting, source, server, folder, parent, children } = family;
    await wait();
    const pause = await server.api<{ id: string }>("POST", "/pauses", { factory: "acme" });
    touch("exit");
    await resting();
    expect(await server.stop()).toBe(0);

    const again = await serverWithAgent(waitingAgent(folder), { before: { source, server }, env });
    const [child = ""] = children;
    expect(await again.story.run(parent)).toMatchObject({ state: "INPROGRESS", waiting_for: children });
    expect(await again.story.run(child)).toMatchObject({ state: "QUEUED", waiting: { reason: "paused" } });
    await again.server.api("DELETE", `/pauses/${pause.id}`);
    touch("one");
    const ended = await again.story.ended(parent);
    expect(ended).toMatchObject({ state: "SUCCEEDED" });
    expect(ended.answer).toContain("> answer of one");
  });

  test("begins its next turn when its factory is no longer paused, and while it is suspended", async () => {
    const { wait, touch, resting, server, story, parent, children } = await aWaitingFamily(["one"]);
    await wait();
    touch("exit");
    await resting();
    const [child = ""] = children;
    await waitFor(async () => (await story.run(child)).state === "INPROGRESS");
    const { id } = await server.api<{ id: string }>("POST", "/pauses", { factory: "acme" });
    await server.api("POST", "/factories/acme/suspend");
    touch("one");
    await story.ended(child);
    expect(await story.run(parent)).toMatchObject({ state: "QUEUED", waiting: { reason: "paused" } });
    await server.api("DELETE", `/pauses/${id}`);
    const ended = await story.ended(parent);
    expect(ended).toMatchObject({ state: "SUCCEEDED" });
    expect(ended.answer).toContain("> answer of one");
  });

  test("ends with them when a backup is restored, and goes on when a person says so", async () => {
    const family = await aWaitingFamily(["one", "two"], { sharesProcess: false });
    const { wait, touch, resting, source, server, story, folder, parent, children } = family;
    await wait();
    touch("exit");
    await resting();
    const [one = "", two = ""] = children;
    await waitFor(async () => (await story.run(one)).state === "INPROGRESS");
    const file = join(temporaryFolder(), "backup.tar");
    expect((await run(["backup", file, "--data-dir", server.dataDir])).code).toBe(0);
    const dataDir = join(temporaryFolder(), "restored");
    expect((await run(["restore", file, "--data-dir", dataDir])).code).toBe(0);
    await server.kill();
    cpSync(join(server.dataDir, "master.key"), join(dataDir, "master.key"));

    const again = await serverWithAgent(waitingAgent(folder), { before: { source, server: { dataDir } } });
    for (const id of [parent, one, two])
      expect(await again.story.ended(id)).toMatchObject({ state: "ERROR" });
    expect((await again.story.run(parent)).waiting_for).toBeUndefined();
    await again.server.api("POST", `/agent/runs/${parent}/followups`, { message: "Look again." });
    const ended = await waitFor(async () => {
      const found = await again.story.run(parent);
      return found.state === "SUCCEEDED" ? found : undefined;
    });
    // The restored folder has no workspaces: the turn begins with the conversation so far.
    expect(ended.answer).toMatch(/turn 2 read [\s\S]*Look again\./);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

const ROUNDS = 25;

/** Agents that end the moment they are let go, by a file of their run's name. */
const stage = sharedByFile(async () => {
  const folder = temporaryFolder();
  const agent = `
    import { existsSync } from "node:fs";
    const go = ${JSON.stringify(folder)} + "/" + process.env.MILLRACE_RUN_ID;
    while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 1));`;
  const { server, story, start } = await serverWithAgent(agent);
  return {
    server,
    story,
    letGo: (id: string) => writeFileSync(join(folder, id), ""),
    async startWorking() {
      const id = await start();
      await waitFor(async () => (await story.run(id)).state === "INPROGRESS" || undefined);
      return id;
    },
  };
});

const post = (id: string, action: string, body?: object) =>
  ask(stage().server, "POST", `/agent/runs/${id}/${action}`, body ? { body } : {});

describe("of two requests at the same time:", () => {
  test("cancel and finish: the run is CANCELLED exactly when the cancel was taken", async () => {
    const { story, startWorking, letGo } = stage();
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await startWorking();
      // The agent takes some milliseconds to end and to be noticed: the cancel falls before, within and after.
      const [cancelled] = await Promise.all([
        sleep(round * 2).then(() => post(id, "cancel")),
        Promise.resolve().then(() => letGo(id)),
      ]);
      const { state } = await story.ended(id);
      expect(["200 CANCELLED", "400 SUCCEEDED"]).toContain(`${cancelled.status} ${state}`);
    }
  });

  test("two cancels are both answered, and the run is cancelled once", async () => {
    const { server, story, startWorking } = stage();
    for (let round = 0; round < 5; round += 1) {
      const id = await startWorking();
      const answers = await Promise.all([post(id, "cancel"), post(id, "cancel")]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await story.ended(id)).state).toBe("CANCELLED");
      const { events } = await server.api<{ events: { event_type: string }[] }>(
        "GET",
        `/agent/runs/${id}/timeline`,
      );
      expect(events.filter(({ event_type }) => event_type === "oz_run_cancelled")).toHaveLength(1);
    }
  });

  test("a cancel and the start of a waiting run: it is over, whichever was first", async () => {
    const { server, story, letGo } = stage();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "p" });
      await sleep(round % 12);
      expect((await post(run_id, "cancel")).status).toBe(200);
      expect((await story.ended(run_id)).state).toBe("CANCELLED");
      letGo(run_id);
    }
  });

  test("a message and finish: the message is taken, for the next turn or for another one", async () => {
    const { story, startWorking, letGo } = stage();
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await startWorking();
      const [told] = await Promise.all([
        sleep(round * 2).then(() => post(id, "followups", { message: "m" })),
        Promise.resolve().then(() => letGo(id)),
      ]);
      expect(told.status).toBe(200);
      expect(["handoff_execution", "queue_pending"]).toContain(told.body.outcome);
      expect((await story.ended(id)).state).toBe("SUCCEEDED");
    }
  });
});

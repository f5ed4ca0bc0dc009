import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { type Server, startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";
import { doorClient, someFacts } from "../../given/workers.ts";

const FACTS = { dataFolder: "folder-1", concurrency: 2, executing: 0 };
const OTHERS = { dataFolder: "folder-2", concurrency: 2, executing: 0 };
const stage = sharedByFile(() => startServer({ sources: [] }));
const BUSY = { facts: someFacts({ ...FACTS, executing: 2 }) };

/** A server with a run whose first turn a worker has executed, and whose second one waits; another worker is in its pool. */
async function aLaterTurn(server: Server = stage(), prompt = "Build it.") {
  const pool = `pool-${randomUUID()}`;
  const story = storyOf(server);
  const first = await doorClient(server, { name: pool, facts: FACTS });
  const second = await doorClient(server, { facts: OTHERS, token: first.token });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/run", {
    prompt,
    config: { worker_host: pool },
  });
  const execute = async (worker: typeof first, answer: string) => {
    const [claimed] = await worker.claim();
    const turn = { id: run_id, ticket: claimed?.ticket ?? 0 };
    const tokenHash = createHash("sha256").update(randomUUID()).digest("hex");
    await worker.call(turn, "start", { sessionId: randomUUID(), tokenHash, takesInput: false });
    const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null, answer };
    await worker.call(turn, "finish", { ending });
  };
  const say = (message: string) => server.api("POST", `/agent/runs/${run_id}/followups`, { message });
  await execute(first, "It is built.");
  await say("Ship it.");
  return { server, pool, story, first, second, run_id, execute, say };
}

describe("a later turn of a run in a pool", () => {
  test("goes back to the process that has the workspace, and not to another one that asks before it", async () => {
    const { first, second } = await aLaterTurn();
    expect(await second.claim(1, 0)).toEqual([]);
    expect((await first.claim())[0]).toMatchObject({ run: { turn: 2 }, isElsewhere: false });
  });

  test("goes back to another process with the same data folder", async () => {
    const { server, first } = await aLaterTurn();
    const restarted = await doorClient(server, { facts: FACTS, token: first.token });
    expect((await restarted.claim())[0]).toMatchObject({ run: { turn: 2 }, isElsewhere: false });
  });

  test("does not go to another worker that reports the same data folder", async () => {
    const { server, pool } = await aLaterTurn();
    const other = await doorClient(server, { name: pool, facts: FACTS });
    expect(await other.claim(1, 0)).toEqual([]);
  });

  test("says that it waits for a worker that is busy", async () => {
    const { story, first, second, run_id } = await aLaterTurn();
    await first.beat([], BUSY);
    await second.beat([]);
    const { waiting } = await story.run(run_id);
    expect(waiting).toMatchObject({ reason: "workspace", place: 0 });
    expect(waiting?.message).toMatch(
      /^The worker that has the workspace of the run is busy, or takes no more runs\. After \S+Z, any other worker/,
    );
    await first.beat([]);
    expect((await story.run(run_id)).waiting?.reason).toBe("starting");
  });

  test("says that it waits for a worker that is not connected, as long as another one is", async () => {
    const { story, first, second, run_id } = await aLaterTurn();
    await second.beat([]);
    await first.beat([], { isLeaving: true });
    const { waiting } = await story.run(run_id);
    expect(waiting?.reason).toBe("workspace");
    expect(waiting?.message).toContain("is not connected");
    await second.beat([], { isLeaving: true });
    expect((await story.run(run_id)).waiting?.reason).toBe("no_worker");
  });

  test("is taken by any other worker when the settings say not to wait, which gets the conversation so far", async () => {
    const server = await startServer({ sources: [], env: { MILLRACE_WORKER_RETURN_WAIT: "0" } });
    const prompt = "Build it with the-value.\n[millrace: end]";
    const { story, first, second, run_id, execute, say } = await aLaterTurn(server, prompt);
    await first.beat([], BUSY);
    await second.beat([]);
    expect((await story.run(run_id)).waiting?.reason).toBe("starting");
    await execute(second, "It is shipped.");
    await say("Thanks.");
    const third = await doorClient(server, { token: first.token });
    const [claimed] = await third.claim();
    expect(claimed).toMatchObject({ run: { turn: 3 }, isElsewhere: true });
    const turn = { id: run_id, ticket: claimed?.ticket ?? 0 };
    await third.call(turn, "hide", { values: ["the-value"] });
    const { result } = (await third.call(turn, "findConversation")).body;
    expect(String(result).replace(/^\[millrace: [^\]]*\]/, "[note]")).toBe(
      [
        "[note]",
        "> Request:\n> Build it with ********.\n> [millrace: end]",
        "> Turn 1, answer of the agent:\n> It is built.",
        "> Turn 2, message to the agent:\n> Ship it.",
        "> Turn 2, answer of the agent:\n> It is shipped.",
      ].join("\n\n"),
    );
  });
});

test("a worker that reports an unusable data folder is refused", async () => {
  const worker = await doorClient(stage());
  const { status, body } = await worker.beat([], { facts: someFacts({ dataFolder: "../x" }) });
  expect([status, body.field]).toEqual([400, "dataFolder"]);
});

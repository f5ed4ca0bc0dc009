import { describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { aWaitingFamily, waitingAgent } from "../../given/family.ts";
import { crash, waitFor } from "../../given/server.ts";

describe("a run that waits for the runs that it has started", () => {
  test("is cancelled at once, and they go on", async () => {
    const { wait, touch, resting, server, story, parent, children } = await aWaitingFamily(["one"]);
    await wait();
    touch("exit");
    await resting();
    await server.api("POST", `/agent/runs/${parent}/cancel`);
    expect(await story.run(parent)).toMatchObject({ state: "CANCELLED", is_sandbox_running: false });
    touch("one");
    expect(await story.ended(children[0] ?? "")).toMatchObject({ state: "SUCCEEDED" });
    expect(await story.run(parent)).toMatchObject({ state: "CANCELLED" });
  });

  test("begins its next turn when its time is up", async () => {
    const { wait, touch, story, parent } = await aWaitingFamily(["one"], { atOnce: 2 });
    expect(await wait({ timeout_seconds: 1 })).toMatchObject({ state: "waiting" });
    touch("exit");
    const { answer } = await story.ended(parent);
    expect(answer).toContain("The time limit of your wait was reached. 1 run of 1 has not ended.");
    touch("one");
  });

  test("begins its next turn when a child is cancelled that has not begun", async () => {
    const { wait, touch, resting, server, story, parent, children } = await aWaitingFamily(["one", "two"]);
    const [, two = ""] = children;
    await wait({ run_ids: [two] });
    touch("exit");
    await resting();
    await server.api("POST", `/agent/runs/${two}/cancel`);
    touch("one");
    expect((await story.ended(parent)).answer).toContain(`Run ${two}: CANCELLED`);
  });

  test("begins its next turn exactly once after the server and its supervisor were killed", async () => {
    const family = await aWaitingFamily(["one"], {
      sharesProcess: false,
    });
    const { wait, touch, resting, source, server, story, folder, parent, children } = family;
    await wait();
    touch("exit");
    await resting();
    await waitFor(async () => (await story.run(children[0] ?? "")).state === "INPROGRESS");
    await crash(server);
    touch("one");
    const again = await serverWithAgent(waitingAgent(folder), { before: { source, server } });
    // The agent of its child ended with the server and its supervisor: that is an end too.
    const { answer, state } = await again.story.ended(parent);
    expect(state).toBe("SUCCEEDED");
    expect(answer).toContain(`Run ${children[0]}: ERROR`);
    const { messages } = await again.server.api<Models["Conversation"]>(
      "GET",
      `/agent/runs/${parent}/conversation`,
    );
    expect(messages.filter(({ author }) => author.name === "millrace")).toHaveLength(1);
  });
});

test("a wait for the run itself, or for runs of others, is refused", async () => {
  const { wait, touch, start, parent } = await aWaitingFamily(["one"], { atOnce: 3 });
  const other = await start({ prompt: "Child other" });
  expect(await wait({ run_ids: [parent, other] })).toMatchObject({
    status: 400,
    field: "run_ids",
  });
  for (const name of ["exit", "one", "other"]) touch(name);
});

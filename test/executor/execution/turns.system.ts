import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { liveSession, serverWithAgent, TOLD_OF_COMMAND } from "../../given/agent.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { crash, waitFor } from "../../given/server.ts";

/** Says its turn and its prompt, and stays until the file `go` is there when its prompt asks for that. */
const agent = (folder: string) => `
  import { appendFileSync, existsSync, readFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  appendFileSync(${JSON.stringify(join(folder, "log"))}, JSON.stringify(process.env.MILLRACE_TURN + ": " + prompt) + "\\n");
  console.log("turn " + process.env.MILLRACE_TURN + " read " + prompt);
  while (prompt.includes("Wait.") && !existsSync(${JSON.stringify(join(folder, "go"))})) await new Promise((r) => setTimeout(r, 20));`;

/** What the first turn of such an agent reads: its own prompt comes before the request. */
const first = (request: string) => `1: ${TOLD_OF_COMMAND}You do the work.\n\n${request}`;

/** A server with such an agent, and what its turns were asked. */
async function conversation(options: { sharesProcess?: boolean } = {}) {
  const folder = temporaryFolder();
  const given = await serverWithAgent(agent(folder), options);
  return {
    ...given,
    folder,
    log: (): string[] =>
      existsSync(join(folder, "log"))
        ? readFileSync(join(folder, "log"), "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line))
        : [],
    go: () => writeFileSync(join(folder, "go"), ""),
    say: (id: string, message: string) =>
      given.server.api<{ outcome: string }>("POST", `/agent/runs/${id}/followups`, { message }),
  };
}

describe("a message", () => {
  test("to a run that has ended begins another turn in the same workspace and session", async () => {
    const { run, say, story, log, server } = await conversation();
    const begun = await run();
    expect(await say(begun.run_id, "Go on.")).toMatchObject({ outcome: "handoff_execution" });
    await waitFor(async () => (await story.run(begun.run_id)).run_time !== begun.run_time);
    const second = await story.ended(begun.run_id);
    expect(second).toMatchObject({
      state: "SUCCEEDED",
      session_id: begun.session_id,
      started_at: begun.started_at,
    });
    expect(log()).toEqual([first("Do it."), "2: Go on."]);
    expect(readFileSync(join(server.dataDir, "workspaces", begun.run_id, "prompt.md"), "utf8")).toBe(
      "Go on.\n",
    );
    const transcript = await story.transcript(begun.run_id);
    expect(transcript).toBe(
      `turn 1 read ${TOLD_OF_COMMAND}You do the work.\n\nDo it.\n[millrace: turn 2]\nturn 2 read Go on.\n`,
    );
    const workspaces = readdirSync(join(server.dataDir, "workspaces"), { withFileTypes: true });
    const folders = workspaces.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    // Beside the command that agents find on their PATH.
    expect(folders.sort()).toEqual([".bin", begun.run_id]);
  });

  test("to a run that is at work waits for its end, and several keep their order", async () => {
    const { start, say, story, log, go } = await conversation();
    const id = await start({ prompt: "Wait." });
    await waitFor(() => log().length === 1);
    for (const message of ["one", "two"]) {
      expect(await say(id, message)).toMatchObject({ outcome: "queue_pending" });
    }
    go();
    await waitFor(() => log().length > 1);
    await story.ended(id);
    expect(log()).toEqual([first("Wait."), "2: one\n\ntwo"]);
  });

  test("outlasts a crash of the server and its supervisor: the turn that was lost is not started again, and the next one gets it", async () => {
    const before = await conversation({ sharesProcess: false });
    const id = await before.start({ prompt: "Wait." });
    await waitFor(() => before.log().length === 1);
    await before.say(id, "Are you there?");
    await crash(before.server);
    const { story } = await serverWithAgent(agent(before.folder), { before });
    await waitFor(() => before.log().length > 1);
    expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
    expect(before.log()).toEqual([first("Wait."), "2: Are you there?"]);
    const types = (await story.timeline(id)).map(({ event_type, payload }) => [event_type, payload?.turn]);
    expect(types.slice(2)).toEqual([
      ["agent_started", 1],
      ["oz_run_errored", 1],
      ["oz_run_claimed", 2],
      ["agent_started", 2],
      ["oz_run_done", 2],
    ]);
  });

  test("is given to a session that takes messages, one after the other", async () => {
    const folder = temporaryFolder();
    const script = join(folder, "live.mjs");
    writeFileSync(
      script,
      `import { createInterface } from "node:readline";
       for await (const line of createInterface({ input: process.stdin })) {
         const { type, text } = JSON.parse(line);
         console.log(type + " " + text);
         if (text === "End.") process.exit(0);
       }`,
    );
    const config = join(folder, "millrace.yaml");
    writeFileSync(
      config,
      JSON.stringify({ harnesses: { live: { command: [process.execPath, script], stdin: "messages" } } }),
    );
    const { start, story, server } = await serverWithAgent("", { args: ["--config", config] });
    const id = await start({ config: { harness: { type: "live" } } });
    // Before its session is open, in whatever state it is by then.
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "First." });
    await waitFor(async () => (await story.transcript(id)).includes("First."));
    for (const message of ["More.", "End."]) {
      const answer = await server.api("POST", `/agent/runs/${id}/followups`, { message });
      expect(answer).toMatchObject({ outcome: "live_session" });
    }
    expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
    const said = (await story.transcript(id)).match(/First\.|More\.|End\./g);
    expect(said).toEqual(["First.", "More.", "End."]);
  });
});

const GIVEN = "a message was sent to the session";

test("a message in the pipe of an agent that dies begins the next turn, and says that it may be a repetition", async () => {
  // The pipe takes the message, and nobody reads it.
  const { say, can, said, inTurn, story, id, messages } = await liveSession(`
    console.log("ready");
    await until("die");
    process.exit(7);`);
  await said("ready");
  expect(await say("Mind the gap.")).toMatchObject({ outcome: "live_session" });
  await said(GIVEN);
  expect((await messages()).at(-1)).toMatchObject({ text: "Mind the gap.", turn: 1, state: "given" });
  can("die");
  expect((await inTurn(2)).state).toBe("SUCCEEDED");
  expect(await story.transcript(id)).toMatch(
    /asked: \[millrace: The previous turn ended before its agent confirmed the following message\. [^\]]*\]\nMind the gap\./,
  );
  const message = (await messages()).find(({ text }) => text === "Mind the gap.");
  expect(message).toMatchObject({ turn: 2, state: "given", repeated: true });
  const events = await story.timeline(id);
  expect(events.find(({ event_type }) => event_type === "messages_unconfirmed")?.payload).toEqual({
    turn: 1,
    message_ids: [message?.id],
  });
});

test("a message after which the agent has written something was read, and is not repeated when the agent dies", async () => {
  const { say, can, said, story, id, messages } = await liveSession(`
    await read();
    console.log("ready");
    console.log("heard " + await read());
    await until("die");
    process.exit(7);`);
  await said("ready");
  await say("Mind the gap.");
  await said("heard Mind the gap.");
  can("die");
  expect((await story.ended(id)).state).toBe("FAILED");
  expect((await messages()).at(-1)).toMatchObject({ text: "Mind the gap.", turn: 1, state: "given" });
  expect((await messages()).some(({ repeated }) => repeated)).toBe(false);
  expect((await story.timeline(id)).map(({ event_type }) => event_type)).not.toContain(
    "messages_unconfirmed",
  );
});

test("of several messages, those after the last word of the agent are repeated in their order", async () => {
  const { say, can, said, inTurn, story, id } = await liveSession(`
    await read();
    console.log("ready");
    console.log("heard " + await read());
    await until("die");
    process.exit(7);`);
  await said("ready");
  await say("One.");
  await said("heard One.");
  await say("Two.");
  await say("Three.");
  await waitFor(async () => (await story.transcript(id)).split(GIVEN).length === 4);
  can("die");
  await inTurn(2);
  const asked = (await story.transcript(id)).split("asked: ")[1] ?? "";
  expect(asked.match(/One\.|Two\.|Three\./g)).toEqual(["Two.", "Three."]);
});

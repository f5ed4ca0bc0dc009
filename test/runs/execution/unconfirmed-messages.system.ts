import { expect, test } from "vitest";
import { liveSession } from "../../given/live-session.ts";
import { waitFor } from "../../given/server.ts";

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

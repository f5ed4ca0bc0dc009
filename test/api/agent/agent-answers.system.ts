import { expect, test } from "vitest";
import { reportingAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import type { Run } from "../../given/story.ts";

const SECRET = "a-secret-that-nobody-sees";
const GRANTED = withFactoryLines("secrets: [HIDDEN]\n");

test("an answer that an agent reports is the answer of its run, whatever its program prints at last", async () => {
  const { call, story, id, end } = await reportingAgent({ program: 'console.log("Printed.");' });
  await call("POST", "answer", { body: { text: "Reported first." } });
  const { status, body } = await call("POST", "answer", { body: { text: "Reported." } });
  expect([status, body]).toEqual([200, { run_id: id, text: "Reported." }]);
  end(0);
  expect((await story.ended(id)).answer).toBe("Reported.");
});

test("a file with the answer counts more than a report of it", async () => {
  const program =
    'import { mkdirSync } from "node:fs"; mkdirSync("artifacts"); writeFileSync("artifacts/answer.md", "Of the file.");';
  const { call, story, id, end } = await reportingAgent({ program });
  await call("POST", "answer", { body: { text: "Reported." } });
  end(0);
  expect((await story.ended(id)).answer).toBe("Of the file.");
});

test("the answer of a turn does not stand for the next one", async () => {
  const { call, story, id, end, server } = await reportingAgent({
    program: 'console.log("Turn " + process.env.MILLRACE_TURN);',
  });
  await call("POST", "answer", { body: { text: "Reported." } });
  end(0);
  await story.ended(id);
  await server.api("POST", `/agent/runs/${id}/followups`, { message: "Again." });
  expect(await waitFor(async () => (await story.ended(id)).answer !== "Reported." || undefined)).toBe(true);
  expect((await story.ended(id)).answer).toBe("Turn 2");
});

test("a status line is shown while the turn works, on one line", async () => {
  const { call, story, id } = await reportingAgent();
  expect((await call("POST", "status", { body: { text: "Running\n the tests" } })).status).toBe(200);
  expect((await story.run(id)).status_line).toBe("Running the tests");
  const tooLong = await call("POST", "status", { body: { text: "x".repeat(201) } });
  expect(tooLong.body).toMatchObject({ status: 400, field: "text" });
});

test("a question with choices is shown with them, and is answered by any message", async () => {
  const { call, story, id, server } = await reportingAgent();
  const question = { message: "Which one?", choices: ["Red", "Blue"], urgency: "high" };
  expect((await call("POST", "blocked", { body: question })).status).toBe(200);
  // Asked again because the response was lost, it is one question.
  await call("POST", "blocked", { body: question });
  expect((await story.run(id)).question).toMatchObject({
    text: "Which one?",
    choices: ["Red", "Blue"],
    urgency: "high",
  });
  const { messages } = await server.api<{ messages: { kind: string }[] }>(
    "GET",
    `/agent/runs/${id}/conversation`,
  );
  expect(messages.filter(({ kind }) => kind === "question")).toMatchObject([
    { text: "Which one?", choices: ["Red", "Blue"], urgency: "high" },
  ]);
  await call("POST", "blocked", { body: { message: "Which one?", choices: ["Green"] } });
  const [listed] = (await server.api<{ runs: Run[] }>("GET", "/agent/runs?state=BLOCKED")).runs;
  expect(listed?.question).toMatchObject({ choices: ["Green"], urgency: "normal" });
  await server.api("POST", `/agent/runs/${id}/followups`, { message: "Green" });
  expect((await story.run(id)).question).toBeUndefined();
});

test("choices are few, short, and differ", async () => {
  const { call } = await reportingAgent();
  for (const choices of [[], Array(11).fill("x"), ["a", "a"], ["x".repeat(201)], [" "], [7]])
    expect((await call("POST", "blocked", { body: { message: "?", choices } })).status).toBe(400);
});

test("what an agent reports is masked", async () => {
  const { call, story, id, server } = await reportingAgent({ files: GRANTED, secrets: { HIDDEN: SECRET } });
  await call("POST", "answer", { body: { text: `It is ${SECRET}.` } });
  await call("POST", "status", { body: { text: `With ${SECRET}` } });
  await call("PUT", "note", { body: { text: SECRET } });
  await call("POST", "blocked", { body: { message: `${SECRET}?`, choices: [SECRET] } });
  const shown = await Promise.all([
    story.run(id),
    ...["note", "conversation"].map((what) => ask(server, "GET", `/agent/runs/${id}/${what}`)),
  ]);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect((await story.run(id)).question?.choices).toEqual(["********"]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportingAgent, serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";

const VERDICT = {
  type: "object",
  required: ["verdict"],
  properties: { verdict: { enum: ["pass", "fail"] } },
  additionalProperties: false,
};
const FITS = { verdict: "pass" };

/** What an agent says by itself. */
const UNASKED = ["no JSON", '{ "verdict": "fail" }'];

/** Says in each turn what its prompt has for that turn, after `SAY`, and keeps what it was asked. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const asked = readFileSync(0, "utf8");
  const said = (process.env.MILLRACE_TURN === "1" ? asked : readFileSync("first", "utf8")).match(/SAY (.*)/)?.[1];
  if (process.env.MILLRACE_TURN === "1") (await import("node:fs")).writeFileSync("first", asked);
  const { schema, answers } = said ? JSON.parse(said) : { answers: ${JSON.stringify(UNASKED)} };
  if (schema) JSON.parse(readFileSync("output-schema.json", "utf8"));
  console.log(answers[Number(process.env.MILLRACE_TURN) - 1]);`;

const shared = sharedByFile(() =>
  serverWithAgent(AGENT, {
    files: {
      "automations/review/automation.md": automationWith(
        `triggers: [{ provider: factory, event: run_ended, filter: { automations: { not_in: [review] }, answer_json: { verdict: [done] } } }]
millrace: { output: verdict.json }`,
      ),
      "automations/review/verdict.json": JSON.stringify(VERDICT),
    },
  }),
);

const saying = (...answers: string[]) => ({
  prompt: `SAY ${JSON.stringify({ schema: true, answers })}`,
  config: { output_schema: VERDICT },
});

test("an answer that fits the schema is the JSON of its run, in a fence as well", async () => {
  const { run } = await shared();
  expect(await run(saying('{ "verdict": "pass" }'))).toMatchObject({
    state: "SUCCEEDED",
    answer_json: FITS,
    agent_config: { output_schema: VERDICT },
  });
  expect(await run(saying('Here it is:\n```json\n{ "verdict": "pass" }\n```'))).toMatchObject({
    state: "SUCCEEDED",
    answer_json: FITS,
  });
});

test("an answer that does not fit is repaired in a turn of its own, which is told what is wrong", async () => {
  const { run, story, server } = await shared();
  const { run_id: id, ...rest } = await run(saying('{ "verdict": "maybe" }', '{ "verdict": "pass" }'));
  expect(rest).toMatchObject({ state: "SUCCEEDED", answer_json: FITS });
  const { messages } = await server.api<{ messages: { role: string; text: string }[] }>(
    "GET",
    `/agent/runs/${id}/conversation`,
  );
  expect(messages.filter(({ text }) => text.includes("was not accepted"))).toHaveLength(1);
  const events = await story.timeline(id);
  const refused = events.find(({ event_type }) => event_type === "answer_refused");
  expect(refused?.payload).toMatchObject({ turn: 1, reason: expect.stringContaining('"verdict"') });
});

test("a run whose repaired answer does not fit either has failed, without a third turn", async () => {
  const { run, story } = await shared();
  const { run_id: id, ...rest } = await run(saying("maybe", '{ "verdict": 1 }', '{ "verdict": "pass" }'));
  expect(rest).toMatchObject({
    state: "FAILED",
    answer_json: null,
    status_message: { error_code: "invalid_answer", message: expect.stringContaining('"verdict"') },
  });
  const started = (await story.timeline(id)).filter(({ event_type }) => event_type === "agent_started");
  expect(started).toHaveLength(2);
});

test("a message begins a turn with a repair of its own", async () => {
  const { run, story, server } = await shared();
  const { run_id: id } = await run(saying('{ "verdict": "pass" }', "maybe", '{ "verdict": "fail" }'));
  await server.api("POST", `/agent/runs/${id}/followups`, { message: "Again." });
  expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED", answer_json: { verdict: "fail" } });
});

test("an automation whose filter asks for such an answer is started by it, and answers with the schema of its file", async () => {
  const { run, story, server } = await shared();
  const causes = await Promise.all(
    [{ verdict: "done" }, { verdict: "other" }].map((answer) =>
      run({ ...saying(JSON.stringify(answer)), config: { output_schema: {} } }),
    ),
  );
  const started = await waitFor(async () => {
    const found = (await story.runs()).filter(({ trigger }) => trigger?.event === "run_ended");
    return found.length > 0 && found.every(({ state }) => state === "SUCCEEDED") ? found : undefined;
  });
  expect(started.map(({ parent_run_id }) => parent_run_id)).toEqual([causes[0]?.run_id]);
  expect(started[0]).toMatchObject({
    answer_json: { verdict: "fail" },
    agent_config: { output_schema: VERDICT },
  });
  const file = join(server.dataDir, "workspaces", started[0]?.run_id ?? "", "event-payload.json");
  expect(JSON.parse(readFileSync(file, "utf8")).run.answer_json).toEqual({ verdict: "done" });
});

test("a run without a schema has no JSON", async () => {
  const { run } = await shared();
  const prompt = `SAY ${JSON.stringify({ answers: ['{ "verdict": "pass" }'] })}`;
  expect(await run({ prompt })).toMatchObject({ state: "SUCCEEDED", answer_json: null });
});

test("a schema that is none is refused at its place", async () => {
  const { server } = await shared();
  const refused = (output_schema: unknown) =>
    server
      .api("POST", "/agent/runs", { prompt: "Do it.", config: { output_schema } })
      .catch((error: Error) => error.message);
  expect(await refused({ properties: { a: { $ref: "https://example.org/s.json" } } })).toMatch(
    /config\.output_schema\.properties\.a\.\$ref.*nothing is fetched/,
  );
  expect(await refused("text")).toMatch(/config\.output_schema/);
});

test("a pattern that takes for ever ends its run, and not the server", async () => {
  const { run, server } = await shared();
  const output_schema = { type: "string", pattern: "^(a+)+$" };
  const answer = JSON.stringify(`${"a".repeat(60)}!`);
  const ended = await run({ ...saying(answer), config: { output_schema } });
  expect(ended).toMatchObject({
    state: "FAILED",
    status_message: { error_code: "invalid_answer", message: expect.stringContaining("takes too long") },
  });
  expect((await server.fetch("/healthz")).status).toBe(200);
});

test("an agent that reports its answer is told at once what is wrong with it", async () => {
  const { call, story, id, end } = await reportingAgent({ run: { config: { output_schema: VERDICT } } });
  const wrong = await call("POST", "answer", { body: { text: '{ "verdict": "maybe" }' } });
  expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringContaining('"verdict"') } });
  const both = await call("POST", "answer", { body: { text: "{}", json: {} } });
  expect(both.status).toBe(400);
  expect((await call("POST", "answer", { body: { json: FITS } })).status).toBe(200);
  end(0);
  expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED", answer_json: FITS });
});

import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import { tellingHarness } from "../../given/telling-harness.ts";

/** Says what claude says of two models in a first turn, and of one in a second. */
const PROGRAM = `
const used = (inputTokens, outputTokens, costUSD) => ({ inputTokens, outputTokens, cacheReadInputTokens: 10, costUSD });
const first = { opus: used(5, 2, 0.25), haiku: used(1, 1, 0.05) };
const modelUsage = process.env.MILLRACE_TURN === "1" ? first : { opus: used(7, 3, 0.5) };
const said = { id: "m", model: "opus", content: [], usage: { input_tokens: 1, output_tokens: 1 } };
console.log(JSON.stringify({ type: "assistant", message: said }));
console.log(JSON.stringify({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 1, modelUsage }));`;

async function serverOf(output: "claude" | "codex", program: string) {
  const given = await serverWithAgent("", { args: tellingHarness(output, program) });
  const run = (of: object = {}) => given.run({ config: { harness: { type: "told", ...of } } });
  const usageOf = (id: string) => given.server.api("GET", `/agent/runs/${id}/harness-usage`);
  return { ...given, run, usageOf };
}

test("tokens and cost of each turn and model are stored, and summed up for the run", async () => {
  const { run, usageOf, server, story } = await serverOf("claude", PROGRAM);
  const { run_id } = await run();
  await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "More." });
  await story.ended(run_id);
  const turn = (number: number, model_id: string, counts: number[]) => ({
    turn: number,
    model_id,
    input_tokens: counts[0],
    output_tokens: counts[1],
    cached_tokens: 10,
    cost_usd: counts[2],
    ...{ unpriced_tokens: 0, cost_source: "reported", source: "harness" },
    reported_at: expect.any(String),
  });
  expect(await usageOf(run_id)).toEqual({
    available: true,
    conversation_id: run_id,
    run_id,
    age_seconds: expect.any(Number),
    resources: expect.objectContaining({ cpu_seconds: null, peak_memory_bytes: null }),
    usage: {
      input_tokens: 43,
      output_tokens: 6,
      cached_tokens: 30,
      cost_usd: expect.closeTo(0.8),
      unpriced_tokens: 0,
      turns: [turn(1, "haiku", [11, 1, 0.05]), turn(1, "opus", [15, 2, 0.25]), turn(2, "opus", [17, 3, 0.5])],
    },
  });
  expect((await story.run(run_id)).request_usage).toEqual({
    inference_cost_usd: expect.closeTo(0.8),
    total_tokens: 49,
    model_token_usage: [
      {
        model_id: "haiku",
        total_tokens: 12,
        usage_type: "byok",
        tokens_by_category: { input: 1, input_cache_read: 10, output: 1 },
      },
      {
        model_id: "opus",
        total_tokens: 37,
        usage_type: "byok",
        tokens_by_category: { input: 12, input_cache_read: 20, output: 5 },
      },
    ],
  });
});

test("tokens of a program that names neither model nor price are counted for the requested model", async () => {
  const usage = { input_tokens: 9, cached_input_tokens: 4, output_tokens: 2 };
  const { run, usageOf } = await serverOf(
    "codex",
    `console.log(JSON.stringify({ type: "turn.completed", usage: ${JSON.stringify(usage)} }));`,
  );
  const { run_id, request_usage } = await run({ model_id: "gpt-x" });
  expect(request_usage).not.toHaveProperty("inference_cost_usd");
  expect(await usageOf(run_id)).toMatchObject({
    usage: {
      cost_usd: null,
      turns: [{ model_id: "gpt-x", input_tokens: 9, cached_tokens: 4, cost_usd: null }],
    },
  });
});

test("usage that a program reports for its whole session is stored by turn, and counts once", async () => {
  const { run, usageOf, server, story } = await serverOf(
    "codex",
    `const turn = Number(process.env.MILLRACE_TURN);
const usage = { input_tokens: 10 * turn, cached_input_tokens: 4 * turn, output_tokens: 3 * turn };
console.log(JSON.stringify({ type: "thread.started", thread_id: turn < 3 ? "t-1" : "t-2" }));
console.log(JSON.stringify({ type: "turn.completed", usage }));`,
  );
  const { run_id } = await run();
  for (const message of ["More.", "In another thread."]) {
    await server.api("POST", `/agent/runs/${run_id}/followups`, { message });
    await story.ended(run_id);
  }
  const counted = (turn: number, input_tokens: number, cached_tokens: number, output_tokens: number) =>
    expect.objectContaining({ turn, input_tokens, cached_tokens, output_tokens });
  expect(await usageOf(run_id)).toMatchObject({
    usage: {
      input_tokens: 50,
      turns: [counted(1, 10, 4, 3), counted(2, 10, 4, 3), counted(3, 30, 12, 9)],
    },
  });
});

test("a run whose harness tells nothing has no usage, and is forgotten with the run where it does", async () => {
  const { run, usageOf, server } = await serverOf("claude", PROGRAM);
  const { run_id } = await run();
  await server.api("DELETE", `/agent/runs/${run_id}`);
  await expect(usageOf(run_id)).rejects.toThrow();
  const { run: plain, server: other } = await serverWithAgent("console.log('done')");
  const ended = await plain();
  expect(ended).not.toHaveProperty("request_usage");
  expect(await other.api("GET", `/agent/runs/${ended.run_id}/harness-usage`)).toMatchObject({
    available: false,
    run_id: ended.run_id,
  });
});

interface Message {
  role: string;
  kind: string;
  turn: number;
  text: string;
}

/** Does what its prompt asks for; the answer of a file is longer than anyone shows. */
const AGENT = `
  import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  for (let line = 1; line <= 30; line += 1) console.log("\\u001b[31mline " + line + "\\u001b[0m");
  console.error("a warning");
  console.log("The token is " + process.env.TOKEN);
  mkdirSync("artifacts", { recursive: true });
  if (prompt.includes("File.")) writeFileSync("artifacts/answer.md", "# Done\\nwith " + process.env.TOKEN + "\\n" + "x".repeat(1e6));
  if (prompt.includes("Link.")) symlinkSync("/etc/hostname", "artifacts/answer.md");
  if (prompt.includes("Fail.")) process.exit(3);`;

async function answering() {
  const files = {
    "factory.yaml": String(FACTORY["factory.yaml"]).replace(
      "model: none }",
      "model: none }, secrets: [TOKEN]",
    ),
  };
  const given = await serverWithAgent(AGENT, { files });
  await given.story.setSecret("TOKEN", "a-secret-value");
  await given.story.sync();
  return {
    ...given,
    said: async (id: string) =>
      (
        await given.server.api<{ messages: Message[] }>("GET", `/agent/runs/${id}/conversation`)
      ).messages.filter(({ role }) => role === "agent"),
  };
}

test("the answer of a plain command is the last lines of its output, masked and without colours", async () => {
  const { run, said } = await answering();
  const { run_id, answer } = await run();
  const lines = Array.from({ length: 19 }, (_, index) => `line ${index + 12}`);
  expect(answer).toBe([...lines, "The token is ********"].join("\n"));
  expect(await said(run_id)).toMatchObject([{ kind: "answer", turn: 1, text: answer }]);
});

test("the file artifacts/answer.md is the answer, in the turn that has left it, masked and bounded", async () => {
  const { run, said, server, story } = await answering();
  const { run_id } = await run({ prompt: "File." });
  const [first] = await said(run_id);
  expect(first?.text.slice(0, 24)).toBe("# Done\nwith ********\nxxx");
  expect(first?.text.length).toBe(64 * 1024);
  await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "And now?" });
  await waitFor(async () => (await said(run_id)).length === 2);
  const [, second] = await said(run_id);
  expect(second).toMatchObject({ turn: 2, text: expect.stringMatching(/\nThe token is \*{8}$/) });
  expect((await story.ended(run_id)).answer).toBe(second?.text);
});

test("a link is no answer, and a command that fails has none", async () => {
  const { run, said } = await answering();
  const linked = await run({ prompt: "Link." });
  expect((await said(linked.run_id)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/The token is \*{8}$/),
  ]);
  const failed = await run({ prompt: "Fail." });
  expect(failed.state).toBe("FAILED");
  expect(await said(failed.run_id)).toEqual([]);
});

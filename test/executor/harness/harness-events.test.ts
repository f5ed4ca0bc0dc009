import { describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/executor/harness/harness-event.ts";
import { LINE_READERS, outputReader } from "../../../src/executor/harness/output-reader.ts";
import { maskEvents } from "../../../src/executor/supervisor/read-output.ts";
import { createMasking } from "../../../src/secrets/masking/mask.ts";

/** The steps of what a program writes. */
function stepsOf(program: keyof typeof LINE_READERS, lines: (object | string)[]): HarnessEvent[] {
  const createReader = LINE_READERS[program];
  if (!createReader) throw new Error(`nothing reads ${program}`);
  const steps: HarnessEvent[] = [];
  const reader = outputReader(
    createReader(),
    () => {},
    (events) => steps.push(...events),
  );
  reader.push(
    Buffer.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")),
  );
  return steps;
}

const said = (...content: unknown[]) => ({ type: "assistant", message: { content } });

test("claude's messages, thoughts, tools with their results, and the cost at the end are steps", () => {
  expect(
    stepsOf("claude", [
      { type: "system", subtype: "init", session_id: "s" },
      said({ type: "thinking", thinking: "Hm." }, { type: "text", text: "I look." }),
      said({ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }),
      said({ type: "tool_use", id: "t2", name: "Edit", input: { file: "a", to: "b" } }),
      {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "gone" }] },
      },
      "a warning",
      { type: "system", subtype: "api_retry", error_status: 529, attempt: 1 },
      {
        type: "result",
        subtype: "success",
        result: "Done.",
        total_cost_usd: 0.25,
        duration_ms: 1_500,
        usage: { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 10 },
      },
    ]),
  ).toEqual([
    { type: "thinking", text: "Hm." },
    { type: "message", text: "I look." },
    { type: "tool_call", call: "t1", name: "Bash", input: "ls" },
    { type: "tool_call", call: "t2", name: "Edit", input: '{\n  "file": "a",\n  "to": "b"\n}' },
    { type: "tool_result", call: "t1", output: "gone", isError: true },
    { type: "output", text: "a warning" },
    { type: "notice", text: "[the model returned HTTP 529; retry 1]" },
    { type: "result", costUsd: 0.25, durationMs: 1_500, tokens: 17 },
  ]);
});

test("an input that is nested deeply does not become many times as long as it was written", () => {
  const input = `{"file":"a","to":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
  const line = `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit","input":${input}}]}}`;
  expect(stepsOf("claude", [line])).toEqual([{ type: "tool_call", name: "Edit", input }]);
});

test("codex's items are steps, and a call is told once whether it was announced or not", () => {
  const command = { id: "i1", type: "command_execution", command: "ls" };
  const ended = { ...command, aggregated_output: "a\n", exit_code: 2, status: "failed" };
  expect(
    stepsOf("codex", [
      { type: "thread.started", thread_id: "t" },
      { type: "item.started", item: command },
      { type: "item.completed", item: ended },
      { type: "item.completed", item: { ...ended, id: "i2", exit_code: 0, status: "completed" } },
      { type: "item.completed", item: { id: "i3", type: "reasoning", text: "Hm." } },
      { type: "item.updated", item: { type: "todo_list", items: [{ text: "read", completed: true }] } },
      { type: "item.completed", item: { id: "i4", type: "agent_message", text: "Done." } },
      { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 2 } },
      { type: "turn.failed", error: { message: "gone" } },
    ]),
  ).toEqual([
    { type: "tool_call", call: "i1", name: "command", input: "ls" },
    { type: "tool_result", call: "i1", output: "a\n[exit code 2]", isError: true },
    { type: "tool_call", call: "i2", name: "command", input: "ls" },
    { type: "tool_result", call: "i2", output: "a" },
    { type: "thinking", text: "Hm." },
    { type: "plan", text: "- [x] read" },
    { type: "message", text: "Done." },
    { type: "result", tokens: 7 },
    { type: "notice", text: "gone", isError: true },
  ]);
});

test("the steps of gemini and opencode are told in the same words", () => {
  expect(
    stepsOf("gemini", [
      { type: "message", role: "assistant", content: "I lo" },
      { type: "message", role: "assistant", content: "ok." },
      { type: "tool_use", tool_id: "t", tool_name: "ls", parameters: { path: "." } },
      { type: "tool_result", tool_id: "t", status: "success", output: "a" },
      { type: "result", status: "success", stats: { total_tokens: 7 } },
    ]),
  ).toEqual([
    { type: "message", text: "I look." },
    { type: "tool_call", call: "t", name: "ls", input: "." },
    { type: "tool_result", call: "t", output: "a" },
    { type: "result", tokens: 7 },
  ]);
  expect(
    stepsOf("opencode", [
      { type: "tool_use", part: { id: "p", tool: "bash", state: { input: { command: "ls" }, output: "a" } } },
      { type: "text", part: { text: "Done." } },
      { type: "step_finish", part: { id: "q", cost: 0.5, tokens: { total: 9 } } },
    ]),
  ).toEqual([
    { type: "tool_call", call: "p", name: "bash", input: "ls" },
    { type: "tool_result", call: "p", output: "a" },
    { type: "message", text: "Done." },
    { type: "result", costUsd: 0.5, tokens: 9 },
  ]);
});

test("what codex goes on after is no error: a connection that it opens again, and its warnings", () => {
  const again = "Reconnecting... 2/5 (unexpected status 404 Not Found, url: ws://127.0.0.1:1/v1/responses)";
  const warning = "Model metadata for `the-model` not found. Defaulting to fallback metadata.";
  expect(
    stepsOf("codex", [
      { type: "item.completed", item: { id: "i0", type: "error", message: warning } },
      { type: "error", message: again },
      { type: "error", message: "stream disconnected before completion" },
      { type: "turn.failed", error: { message: "stream disconnected before completion" } },
    ]),
  ).toEqual([
    { type: "notice", text: warning },
    { type: "notice", text: again },
    { type: "notice", text: "stream disconnected before completion", isError: true },
  ]);
});

test("an item of codex that is not known is a step with its type as the title, and its JSON as the input", () => {
  const item = { id: "i1", type: "collab_tool_call", tool: "wait", status: "completed" };
  expect(stepsOf("codex", [{ type: "item.completed", item }])).toEqual([
    {
      type: "tool_call",
      call: "i1",
      name: "collab_tool_call",
      input: '{\n  "tool": "wait",\n  "status": "completed"\n}',
    },
  ]);
});

test("a step of opencode that another one follows is no end, and the last one has the tokens and the cost of all", () => {
  const finished = (reason: string) => ({
    type: "step_finish",
    part: { type: "step-finish", reason, cost: 0.25, tokens: { total: 9 } },
  });
  const called = (exit: number) => ({
    type: "tool_use",
    part: {
      id: `p${exit}`,
      tool: "bash",
      state: { status: "completed", input: { command: "ls" }, output: "a\n", metadata: { exit } },
    },
  });
  expect(
    stepsOf("opencode", [
      ...[called(0), finished("tool-calls"), called(3), finished("tool-calls")],
      ...[{ type: "text", part: { text: "Done." } }, finished("stop")],
      ...[{ type: "text", part: { text: "More." } }, finished("length")],
    ]),
  ).toEqual([
    { type: "tool_call", call: "p0", name: "bash", input: "ls" },
    { type: "tool_result", call: "p0", output: "a\n" },
    { type: "tool_call", call: "p3", name: "bash", input: "ls" },
    { type: "tool_result", call: "p3", output: "a\n[exit code 3]", isError: true },
    { type: "message", text: "Done." },
    { type: "result", costUsd: 0.75, tokens: 27 },
    { type: "message", text: "More." },
    { type: "result", costUsd: 0.25, tokens: 9 },
  ]);
});

test("a command of gemini that failed without output has its exit code, and only commands have one", () => {
  const call = (tool_id: string, tool_name: string, output: string) => [
    { type: "tool_use", tool_id, tool_name, parameters: { command: "false" } },
    { type: "tool_result", tool_id, status: "success", output },
  ];
  expect(
    stepsOf("gemini", [
      ...call("a", "run_shell_command", "Command exited with code: 3"),
      ...call("b", "run_shell_command", "Command terminated by signal: SIGKILL"),
      ...call("c", "run_shell_command", "it said: Command exited with code: 3"),
      ...call("d", "read_file", "Command exited with code: 3"),
    ]).filter(({ type }) => type === "tool_result"),
  ).toEqual([
    { type: "tool_result", call: "a", output: "[exit code 3]", isError: true },
    { type: "tool_result", call: "b", output: "Command terminated by signal: SIGKILL", isError: true },
    { type: "tool_result", call: "c", output: "it said: Command exited with code: 3" },
    { type: "tool_result", call: "d", output: "Command exited with code: 3" },
  ]);
});

describe("events that a hostile agent has made up", () => {
  const HOSTILE: object[] = [
    { type: "assistant", message: { content: [null, 5, "text", { type: "text", text: { a: 1 } }] } },
    { type: "assistant", message: null },
    { type: "user", message: { content: [{ type: "tool_result", content: [null] }] } },
    { type: "system", subtype: "init", mcp_servers: [null] },
    { type: "result", usage: null, modelUsage: { a: null }, errors: "no list" },
    { type: "item.completed", item: { type: "todo_list", items: [null] } },
    { type: "item.completed", item: { type: "file_change", changes: [null] } },
    { type: "item.started", item: null },
    { type: "tool_use", part: null, parameters: null },
    {
      type: "tool_use",
      tool_id: {},
      tool_name: "run_shell_command",
      part: { state: { metadata: { exit: "3" } } },
    },
    { type: "tool_result", tool_id: "a", output: { a: 1 } },
    { type: "item.completed", item: { id: null, type: { a: 1 }, text: [null] } },
    { type: "step_finish", part: { tokens: null } },
    { type: "error", error: null },
  ];

  test.each(["claude", "codex", "gemini", "opencode"] as const)(
    "%s's reader survives them, and every step is of texts",
    (program) => {
      for (const step of stepsOf(program, HOSTILE)) {
        for (const value of Object.values(step))
          expect(["string", "number", "boolean"]).toContain(typeof value);
      }
    },
  );
});

describe("secrets in steps are masked", () => {
  const createMasker = createMasking(["s3cret-value", "k".repeat(60)]);
  const masked = (...events: HarnessEvent[]) => {
    const masker = maskEvents(createMasker);
    return [...events.flatMap(masker.mask), ...masker.end()];
  };

  test("in every text, before it is cut", () => {
    const long = `${"x".repeat(31_995)}s3cret-value and more`;
    const [call, result] = masked(
      { type: "tool_call", call: "s3cret-value", name: "s3cret-value", input: '{"a":"s3cret-value"}' },
      { type: "tool_result", output: long },
    );
    expect(JSON.stringify([call, result])).not.toMatch(/s3c/);
    expect(call).toEqual({
      type: "tool_call",
      call: "********",
      name: "********",
      input: '{"a":"********"}',
    });
    expect(result).toMatchObject({ output: expect.stringMatching(/\[\d+ more characters are in the text/) });
  });

  test("in lines that are no events also where one goes over several of them", () => {
    const encoded = Buffer.from("k".repeat(60)).toString("base64");
    const lines = encoded.match(/.{1,40}/g) ?? [];
    expect(lines.length).toBeGreaterThan(1);
    const shown = masked(...lines.map((text) => ({ type: "output", text }) as const));
    expect(JSON.stringify(shown)).not.toContain(encoded.slice(0, 20));
    expect(JSON.stringify(shown)).not.toContain(encoded.slice(45, 70));
  });
});

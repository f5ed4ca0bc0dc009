import { describe, expect, test } from "vitest";
import { readLines } from "../../given/read-lines.ts";

/** Lines as opencode 1.18.33 has written them, against a scripted model. */
const event = (type: string, of: object) => ({
  type,
  timestamp: 1795386820992,
  sessionID: "ses_dfa9b5bc2ffe",
  ...of,
});
const step = (id: string, of: object = {}) =>
  event("step_finish", {
    part: {
      id,
      type: "step-finish",
      reason: "stop",
      tokens: { total: 19, input: 10, output: 2, reasoning: 1, cache: { write: 2, read: 4 } },
      cost: 0,
      ...of,
    },
  });
const tool = (name: string, state: object) =>
  event("tool_use", { part: { type: "tool", tool: name, state } });

describe("of what opencode writes", () => {
  test("words, tool calls with what came of them, and exit codes are shown", () => {
    const { shown, reports } = readLines("opencode", [
      event("step_start", { part: { type: "step-start" } }),
      event("text", { part: { type: "text", text: "I look." } }),
      tool("bash", {
        status: "completed",
        input: { command: "echo wo; exit 3" },
        output: "wo\n",
        metadata: { output: "wo\n", exit: 3, truncated: false },
      }),
      tool("local_echo", { status: "completed", input: { text: "hello" }, output: "echoed hello wide" }),
      tool("read", { status: "error", input: { filePath: "a" }, error: "File not found" }),
      step("prt_1"),
      event("step_start", { part: { type: "step-start" } }),
      event("text", { part: { type: "text", text: "One." } }),
      event("text", { part: { type: "text", text: "Two." } }),
      step("prt_2"),
      "no event",
    ]);
    expect(shown.split("\n")).toEqual([
      ...["I look.", '> bash {"command":"echo wo; exit 3"}', "wo", "[exit code 3]"],
      ...['> local_echo {"text":"hello"}', "echoed hello wide"],
      ...['> read {"filePath":"a"}', "[the tool failed] File not found", "One.", "Two.", "no event", ""],
    ]);
    expect(reports.filter(({ session }) => session !== undefined)).toEqual([{ session: "ses_dfa9b5bc2ffe" }]);
    expect(reports.findLast(({ answer }) => answer !== undefined)?.answer).toBe("One.\nTwo.");
  });

  test("tokens and costs of steps are summed up as they come; 0 counts as an unknown price", () => {
    const { reports } = readLines("opencode", [step("prt_1"), step("prt_2", { cost: 0.25 })]);
    const one = { model: null, inputTokens: 16, outputTokens: 3, cachedTokens: 4, costUsd: null };
    expect(reports[0]).toMatchObject({ failure: "", usage: [one] });
    expect(reports[1]?.usage).toEqual([
      { model: null, inputTokens: 32, outputTokens: 6, cachedTokens: 8, costUsd: 0.25 },
    ]);
  });

  test("a key that is refused is fatal, and other errors tell the reason", () => {
    const failed = (data: object, name = "APIError") => event("error", { error: { name, data } });
    const { shown, reports } = readLines("opencode", [
      failed({ message: "Overloaded", statusCode: 529, isRetryable: true }),
      failed(
        { message: "Unexpected server error. Check server logs for details.", ref: "err_c33c65db" },
        "UnknownError",
      ),
      failed({ message: "invalid x-api-key", statusCode: 401, isRetryable: false }),
    ]);
    expect(shown.split("\n")).toEqual([
      "The model returned HTTP 529 (Overloaded)",
      "Unexpected server error. Check server logs for details. Search for err_c33c65db in the log in the transcript.",
      "The model rejected the key: HTTP 401 (invalid x-api-key)",
      "",
    ]);
    expect(reports.map(({ isFatal }) => isFatal)).toEqual([undefined, undefined, true]);
    expect(reports.at(-1)?.failure).toBe("The model rejected the key: HTTP 401 (invalid x-api-key)");
  });
});

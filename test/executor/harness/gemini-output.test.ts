import { describe, expect, test } from "vitest";
import { readLines } from "../../given/read-lines.ts";

/** Lines that gemini 0.61.0 has written, against a scripted model. */
const said = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const result = (of: object) => ({ type: "result", timestamp: "2026-11-22T22:31:41.978Z", ...of });
const apiError = (error: object) => ({
  type: "unknown",
  message: `[API Error: ${JSON.stringify({ error })}]`,
});
const NOTHING_USED = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, input: 0 };

describe("of what gemini writes", () => {
  test("words, tool calls and what the tools answered are shown, the words in whole lines", () => {
    const { shown, reports } = readLines("gemini", [
      { type: "init", session_id: "bdd6a4f3", model: "the-model" },
      { type: "message", role: "user", content: "Use the tool.\n" },
      said("I lo"),
      said("ok.\nFir"),
      said("st:"),
      {
        type: "tool_use",
        tool_name: "mcp_local_echo",
        tool_id: "mcp_local_echo__1",
        parameters: { text: "hello" },
      },
      { type: "tool_result", tool_id: "mcp_local_echo__1", status: "success", output: "echoed hello wide" },
      { type: "tool_use", tool_name: "read_file", tool_id: "r", parameters: { path: "a" } },
      {
        type: "tool_result",
        tool_id: "r",
        status: "error",
        error: { type: "TOOL_EXECUTION_ERROR", message: "File not found." },
      },
      said("The tool has "),
      said("answered."),
      result({
        status: "success",
        stats: {
          total_tokens: 26,
          models: {
            "the-model": { total_tokens: 30, input_tokens: 20, output_tokens: 6, cached: 8, input: 12 },
          },
        },
      }),
      "no event",
    ]);
    expect(shown.split("\n")).toEqual([
      ...["I look.", "First:", '> mcp_local_echo {"text":"hello"}', "echoed hello wide"],
      ...['> read_file {"path":"a"}', "[the tool failed] File not found.", "The tool has answered."],
      ...["no event", ""],
    ]);
    expect(reports).toContainEqual({ session: "bdd6a4f3" });
    expect(reports.at(-1)).toMatchObject({
      failure: "",
      answer: "The tool has answered.",
      // What it has thought is a part of what it has made.
      usage: [{ model: "the-model", inputTokens: 20, outputTokens: 10, cachedTokens: 8, costUsd: null }],
    });
  });

  test("a command that failed without output is shown with its exit code", () => {
    const { shown } = readLines("gemini", [
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "s", parameters: { command: "exit 3" } },
      { type: "tool_result", tool_id: "s", status: "success", output: "Command exited with code: 3" },
    ]);
    expect(shown).toBe('> run_shell_command {"command":"exit 3"}\n[exit code 3]\n');
  });

  test.each([
    [
      { code: 401, message: "no such key", status: "UNAUTHENTICATED" },
      "HTTP 401 (UNAUTHENTICATED): no such key",
    ],
    [
      {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
      },
      "HTTP 400 (INVALID_ARGUMENT): API key not valid. Please pass a valid API key.",
    ],
  ])("a key that is refused is fatal: %o", (error, what) => {
    const failed = result({
      status: "error",
      error: apiError(error),
      stats: { models: { "the-model": NOTHING_USED } },
    });
    const { shown, reports } = readLines("gemini", [said("I w"), failed]);
    expect(shown).toBe(`I w\nThe model rejected the key: ${what}\n`);
    expect(reports.at(-1)).toMatchObject({ failure: `The model rejected the key: ${what}`, isFatal: true });
    expect(reports.at(-1)).not.toHaveProperty("usage");
  });

  test("another failure is told with its reason, and is not fatal", () => {
    const reasons = [
      result({ status: "error", error: apiError({ code: 404, message: "no such model" }) }),
      result({ status: "error", error: { type: "FatalTurnLimitedError", message: "Reached max turns." } }),
      result({ status: "error", error: { message: "[API Error: not JSON]" } }),
    ].map((line) => readLines("gemini", [line]).reports.at(-1));
    expect(reasons.map((report) => report?.failure)).toEqual([
      "The model returned HTTP 404: no such model",
      "Reached max turns.",
      "[API Error: not JSON]",
    ]);
    expect(reasons.every((report) => report?.isFatal === undefined)).toBe(true);
  });

  test("the error before a result without one is the reason, and a warning is none", () => {
    const { shown, reports } = readLines("gemini", [
      { type: "error", severity: "warning", message: "Loop detected." },
      { type: "error", severity: "error", message: "Invalid stream." },
      result({ status: "error", stats: {} }),
    ]);
    expect(shown).toBe("[warning] Loop detected.\nInvalid stream.\n");
    expect(reports[0]).not.toHaveProperty("failure");
    expect(reports.at(-1)).toMatchObject({ failure: "Invalid stream." });
  });
});

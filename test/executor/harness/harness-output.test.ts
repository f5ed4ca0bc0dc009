import { describe, expect, test } from "vitest";
import { readLines } from "../../given/read-lines.ts";

const item = (of: object) => ({ type: "item.completed", item: { id: "item_1", ...of } });

describe("of what claude writes", () => {
  test("words, tool calls and what the tools answered are shown, and other lines as they are", () => {
    const { shown, reports } = readLines("claude", [
      { type: "system", subtype: "init", session_id: "s-1" },
      {
        type: "assistant",
        message: {
          content: [
            { type: "text", text: "Grüße" },
            { type: "tool_use", name: "Bash", input: { command: "ls" } },
          ],
        },
      },
      { type: "user", message: { content: [{ type: "tool_result", content: "a.txt\nb.txt" }] } },
      {
        type: "user",
        message: {
          content: [
            {
              type: "tool_result",
              is_error: true,
              content: [{ type: "text", text: "gone" }, { type: "image" }],
            },
          ],
        },
      },
      { type: "user", message: { content: "seen" } },
      "no event",
      "{ neither",
      { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s-1" },
    ]);
    expect(shown).toBe(
      'Grüße\n> Bash {"command":"ls"}\na.txt\nb.txt\n[the tool failed] gone\n[image]\nno event\n{ neither\n',
    );
    expect(reports).toContainEqual(expect.objectContaining({ session: "s-1" }));
    expect(reports.at(-1)).toEqual({ isIdle: true, answer: "Done.", failure: "" });
  });

  test("an answer to a schema is read as JSON, with its text where there is none", () => {
    const result = { type: "result", subtype: "success", is_error: false, structured_output: { ok: true } };
    const { reports } = readLines("claude", [
      { ...result, result: "Done." },
      { ...result, result: "" },
    ]);
    expect(reports[0]).toMatchObject({ answer: "Done.", answerJson: '{"ok":true}' });
    expect(reports[1]).toMatchObject({ answer: '{\n  "ok": true\n}', answerJson: '{"ok":true}' });
  });

  test("a retried request is shown immediately, and a key that is rejected twice is fatal", () => {
    const retry = (attempt: number, of: object) => ({
      type: "system",
      subtype: "api_retry",
      attempt,
      max_retries: 10,
      ...of,
    });
    const { shown, reports } = readLines("claude", [
      retry(1, { error_status: 529, error: "overloaded" }),
      retry(1, { error_status: 401, error: "authentication_failed" }),
      retry(2, { error_status: 401, error: "authentication_failed" }),
    ]);
    expect(shown).toBe(
      "[the model returned HTTP 529 (overloaded); retry 1 of 10]\n" +
        "[the model returned HTTP 401 (authentication_failed); retry 1 of 10]\n" +
        "[the model returned HTTP 401 (authentication_failed); retry 2 of 10]\n",
    );
    expect(reports.map(({ isFatal }) => isFatal)).toEqual([undefined, undefined, true]);
    expect(reports.at(-1)?.failure).toBe("The model rejected the key: HTTP 401 (authentication_failed).");
  });

  test("the errors of a result are the failure and the last lines, and no answer", () => {
    const { shown, reports } = readLines("claude", [
      { type: "result", subtype: "error_during_execution", is_error: true, errors: ["No such session: 1"] },
    ]);
    expect(shown).toBe("No such session: 1\n");
    expect(reports.at(-1)).toMatchObject({ failure: "No such session: 1", isIdle: true });
    const { reports: ofKey } = readLines("claude", [
      { type: "result", subtype: "success", is_error: true, result: "Invalid API key · Please run /login" },
    ]);
    expect(ofKey.at(-1)).toMatchObject({ failure: "Invalid API key · Please run /login" });
    expect(ofKey.at(-1)).not.toHaveProperty("answer");
  });

  test("tokens are summed up as they come, and its own sums count at last", () => {
    const said = (id: string, usage: object) => ({
      type: "assistant",
      message: { id, model: "opus", content: [], usage },
    });
    const { reports } = readLines("claude", [
      said("m1", { input_tokens: 5, cache_read_input_tokens: 10, output_tokens: 1 }),
      said("m1", { input_tokens: 5, cache_read_input_tokens: 10, output_tokens: 2 }),
      said("m2", { input_tokens: 1, cache_creation_input_tokens: 4, output_tokens: 3 }),
      {
        type: "assistant",
        message: { id: "m3", model: "<synthetic>", content: [], usage: { input_tokens: 9 } },
      },
      {
        type: "result",
        subtype: "success",
        result: "",
        total_cost_usd: 0.5,
        modelUsage: {
          opus: {
            inputTokens: 6,
            outputTokens: 6,
            cacheReadInputTokens: 10,
            cacheCreationInputTokens: 4,
            costUSD: 0.4,
          },
          haiku: { inputTokens: 2, outputTokens: 1, costUSD: 0.1 },
        },
      },
    ]);
    const usages = reports.map(({ usage }) => usage);
    expect(usages[2]).toEqual([
      { model: "opus", inputTokens: 20, outputTokens: 5, cachedTokens: 10, costUsd: null },
    ]);
    expect(usages[3]).toBeUndefined();
    expect(usages[4]).toEqual([
      { model: "opus", inputTokens: 20, outputTokens: 6, cachedTokens: 10, costUsd: 0.4 },
      { model: "haiku", inputTokens: 2, outputTokens: 1, cachedTokens: 0, costUsd: 0.1 },
    ]);
  });
});

describe("of what codex writes", () => {
  test("commands with their exit codes, changes of files, plans, searches, tools and words are shown", () => {
    const { shown, reports } = readLines("codex", [
      { type: "thread.started", thread_id: "t-1" },
      item({ type: "command_execution", command: "ls", aggregated_output: "a\nb\n", exit_code: 0 }),
      item({
        type: "command_execution",
        command: "false",
        aggregated_output: "",
        exit_code: 1,
        status: "failed",
      }),
      item({
        type: "file_change",
        changes: [
          { path: "/w/a.ts", kind: "update" },
          { path: "/w/b.ts", kind: "add" },
        ],
        status: "completed",
      }),
      {
        type: "item.updated",
        item: {
          type: "todo_list",
          items: [
            { text: "read", completed: true },
            { text: "write", completed: false },
          ],
        },
      },
      item({ type: "web_search", query: "how" }),
      item({
        type: "mcp_tool_call",
        server: "local",
        tool: "echo",
        arguments: { text: "hi" },
        result: { content: [{ type: "text", text: "echoed hi" }] },
      }),
      item({ type: "of_tomorrow", what: "this" }),
      item({ type: "agent_message", text: "Done." }),
      { type: "turn.completed", usage: { input_tokens: 12, cached_input_tokens: 4, output_tokens: 3 } },
    ]);
    expect(shown.split("\n")).toEqual([
      ...["$ ls", "a", "b", "[exit code 0]", "$ false", "[exit code 1]"],
      ...["[update /w/a.ts]", "[add /w/b.ts]", "[x] read", "[ ] write", '> web search "how"'],
      ...['> local echo {"text":"hi"}', "echoed hi", '> of_tomorrow {"what":"this"}', "Done.", ""],
    ]);
    expect(reports).toEqual(expect.arrayContaining([{ session: "t-1" }, { text: "Done.", answer: "Done." }]));
    expect(reports.at(-1)).toEqual({
      failure: "",
      usage: [{ model: null, inputTokens: 12, outputTokens: 3, cachedTokens: 4, costUsd: null }],
      isUsageOfSession: true,
    });
  });

  test("an error is the failure, shown once, and fatal when the key is refused by HTTP", () => {
    const socket =
      "Reconnecting... 2/5 (unexpected status 403 Forbidden: no, url: ws://127.0.0.1:1/v1/responses)";
    const refused =
      "unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1:1/v1/responses";
    const { shown, reports } = readLines("codex", [
      { type: "error", message: socket },
      { type: "error", message: refused },
      { type: "turn.failed", error: { message: refused } },
    ]);
    expect(shown).toBe(`${socket}\n${refused}\n`);
    expect(reports.map(({ isFatal }) => isFatal)).toEqual([undefined, true, true]);
    expect(reports.at(-1)?.failure).toBe(refused);
  });
});

import { expect, test } from "vitest";
import { readAnswer } from "../../../src/runs/network/proxy/answer-usage.ts";

/** What is read of an answer that comes in pieces of a few bytes, as a slow network cuts it. */
function usageIn(type: string, text: string) {
  const reader = readAnswer({ "content-type": type });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) reader?.read(bytes.subarray(at, at + 7));
  return reader?.end();
}

const JSON_TYPE = "application/json; charset=utf-8";
const EVENTS = "text/event-stream";
const events = (...all: object[]) =>
  all.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");

test.each([
  [
    "a message of Anthropic, whose cache is counted apart",
    JSON_TYPE,
    JSON.stringify({
      model: "claude-x",
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 5,
        output_tokens: 7,
      },
    }),
    { model: "claude-x", inputTokens: 45, cachedTokens: 30, outputTokens: 7 },
  ],
  [
    "a stream of Anthropic, whose last event has the output alone",
    EVENTS,
    events(
      {
        type: "message_start",
        message: { model: "claude-ü", usage: { input_tokens: 12, output_tokens: 1 } },
      },
      { type: "content_block_delta", delta: { text: "größer" } },
      { type: "message_delta", usage: { output_tokens: 40 } },
    ),
    { model: "claude-ü", inputTokens: 12, cachedTokens: 0, outputTokens: 40 },
  ],
  [
    "a chat completion of OpenAI",
    JSON_TYPE,
    JSON.stringify({
      model: "gpt-x",
      usage: { prompt_tokens: 20, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } },
    }),
    { model: "gpt-x", inputTokens: 20, cachedTokens: 8, outputTokens: 3 },
  ],
  [
    "a stream of chat completions, whose last event has the usage",
    EVENTS,
    `${events({ model: "gpt-x", choices: [{}], usage: null }, { model: "gpt-x", choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } })}data: [DONE]\n\n`,
    { model: "gpt-x", inputTokens: 4, cachedTokens: 0, outputTokens: 2 },
  ],
  [
    "a stream of responses of OpenAI",
    EVENTS,
    events({
      type: "response.completed",
      response: {
        model: "gpt-y",
        usage: { input_tokens: 9, output_tokens: 5, input_tokens_details: { cached_tokens: 2 } },
      },
    }),
    { model: "gpt-y", inputTokens: 9, cachedTokens: 2, outputTokens: 5 },
  ],
  [
    "a stream of Gemini, each event of which tells all so far",
    EVENTS,
    events(
      { modelVersion: "gemini-x", usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1 } },
      {
        modelVersion: "gemini-x",
        usageMetadata: {
          promptTokenCount: 6,
          candidatesTokenCount: 3,
          thoughtsTokenCount: 4,
          cachedContentTokenCount: 2,
        },
      },
    ),
    { model: "gemini-x", inputTokens: 6, cachedTokens: 2, outputTokens: 7 },
  ],
])("the usage in %s is read", (_, type, text, expected) => {
  expect(usageIn(type, text)).toEqual({ ...expected, costUsd: null });
});

test.each([
  ["an answer without usage", JSON_TYPE, '{"data":[]}'],
  ["an answer that is no JSON", JSON_TYPE, "<html>"],
  ["a stream that says nothing of it", EVENTS, "data: hello\n\n"],
  ["usage that is no object", JSON_TYPE, '{"usage":5,"model":"x"}'],
  ["a page", "text/html", '{"usage":{"input_tokens":5}}'],
])("%s tells of no usage", (_, type, text) => {
  expect(usageIn(type, text)).toBeUndefined();
});

test("an answer that is larger than a model's is passed on, and not kept", () => {
  const reader = readAnswer({ "content-type": "application/json" });
  for (let piece = 0; piece < 20; piece += 1) reader?.read(Buffer.alloc(1024 * 1024, " "));
  expect(reader?.end()).toBeUndefined();
});

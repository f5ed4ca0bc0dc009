import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAnswer } from "../../../src/executor/network/proxy/answer-usage.ts";

/** What is read of an answer that comes in pieces of a few bytes, as a slow network cuts it. */
function usageIn(type: string, text: string) {
  const reader = readAnswer({ "content-type": type });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) reader?.read(bytes.subarray(at, at + 7));
  const told = reader?.end().told ?? [];
  expect(told.length).toBeLessThanOrEqual(1);
  return told[0];
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
  [
    "lines of Ollama",
    "application/x-ndjson",
    `${JSON.stringify({ model: "llama", message: { content: "hi" } })}\n${JSON.stringify({ model: "llama", done: true, prompt_eval_count: 5, eval_count: 2 })}`,
    { model: "llama", inputTokens: 5, cachedTokens: 0, outputTokens: 2 },
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
  expect(reader?.end()).toEqual({ told: [], written: 20 * 1024 * 1024 });
});

test("a long answer tells its usage at its end, and no text of the model can pass for it", () => {
  const reader = readAnswer({ "content-type": "application/json" });
  const usage = { usage: { prompt_tokens: 8, total_tokens: 8 } };
  const text = 'x"usage": {"prompt_tokens": 99}'.repeat(20);
  const answer = JSON.stringify({ model: "e", data: "1,".repeat(2_000_000), ...usage, text });
  for (let at = 0; at < answer.length; at += 1000) reader?.read(Buffer.from(answer.slice(at, at + 1000)));
  expect(reader?.end().told).toEqual([
    { model: "e", inputTokens: 8, outputTokens: 0, cachedTokens: 0, costUsd: null },
  ]);
});

const MESSAGE = JSON.stringify({ model: "claude-x", usage: { input_tokens: 10, output_tokens: 7 } });

test.each([
  ["gzip", gzipSync(MESSAGE)],
  ["deflate", deflateSync(MESSAGE)],
  ["br", brotliCompressSync(MESSAGE)],
])("an answer that is compressed with %s is read", (encoding, bytes) => {
  const reader = readAnswer({ "content-type": "application/json", "content-encoding": encoding });
  for (const byte of bytes) reader?.read(Buffer.from([byte]));
  expect(reader?.end().told).toMatchObject([{ inputTokens: 10, outputTokens: 7 }]);
});

test("a stream that is compressed and breaks off tells what came of it", () => {
  const packed = gzipSync(
    events({ message: { model: "m", usage: { input_tokens: 12 } } }, { noise: "x".repeat(5000) }),
  );
  const reader = readAnswer({ "content-type": EVENTS, "content-encoding": "gzip" });
  reader?.read(packed.subarray(0, -12));
  expect(reader?.end().told).toMatchObject([{ model: "m", inputTokens: 12 }]);
});

test("an answer that unpacks to more than is read, or cannot be unpacked, tells its size alone", () => {
  for (const [encoding, bytes] of [
    ["gzip", gzipSync(Buffer.alloc(50_000_000, " "))],
    ["zstd", Buffer.alloc(100)],
  ] as const) {
    const reader = readAnswer({ "content-type": "application/json", "content-encoding": encoding });
    reader?.read(bytes);
    expect(reader?.end()).toEqual({ told: [], written: bytes.length });
  }
});

test("each line of the results of a batch is an answer of its own", () => {
  const lines = [
    { custom_id: "a", result: { type: "succeeded", message: JSON.parse(MESSAGE) } },
    { custom_id: "b", response: { status_code: 200, body: { model: "gpt-x", usage: { prompt_tokens: 3 } } } },
    { custom_id: "c", result: { type: "errored" } },
  ];
  const reader = readAnswer({ "content-type": "application/x-jsonl" });
  reader?.read(Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")));
  expect(reader?.end().told.map(({ model, inputTokens }) => [model, inputTokens])).toEqual([
    ["claude-x", 10],
    ["gpt-x", 3],
  ]);
});

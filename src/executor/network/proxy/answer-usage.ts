import type { IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import { type ModelUsage, numberOf } from "../../output/model-usage.ts";

/** Reads what an answer of a model says of the tokens that it took, while it passes by. */
export interface AnswerReader {
  read(bytes: Buffer): void;
  /** What the whole answer, or what came of it, has told: the answers to a batch are several. */
  end(): AnswerUsage;
}

export interface AnswerUsage {
  told: ModelUsage[];
  /** How many bytes the model has written, as far as it can be known; those of an answer that cannot be read are all of it. */
  written: number;
}

/** What of an answer, or of one line of it, is kept to be read: it takes memory and a processor that all runs share. */
const MAX_BYTES = 2 * 1024 * 1024;
/** A longer answer tells its usage at its beginning or at its end. */
const EDGE_BYTES = 64 * 1024;
/** More than that, unpacked, is not read. */
const MAX_UNPACKED = 2 * MAX_BYTES;
const MAX_MODEL = 200;

type Json = Readonly<Record<string, unknown>>;

/**
 * A reader for answers in the forms of Anthropic (Messages), OpenAI (Chat Completions and Responses), Google (Gemini), Amazon
 * (Converse) and Ollama: whole, as a stream of events, or with a line for each event.
 * @returns nothing for an answer of another kind
 */
export function readAnswer(headers: IncomingHttpHeaders): AnswerReader | undefined {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  const reader = readerOf(type);
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  return reader && encoding !== "identity" ? readPacked(encoding, reader) : reader;
}

function readerOf(type: string): AnswerReader | undefined {
  if (type === "text/event-stream") return readLines((line) => line.match(/^data:(.*)$/s)?.[1]);
  if (/^application\/(x-)?(ndjson|jsonl|json-?lines|jsonlines)$/.test(type)) return readLines((line) => line);
  return /^application\/([\w.-]+\+)?json$/.test(type) ? readWhole() : undefined;
}

/** The proxy does not ask for what is compressed; a host can send it all the same. */
function readPacked(encoding: string, reader: AnswerReader): AnswerReader {
  const kept = keepBytes();
  return {
    read: kept.add,
    end() {
      const plain = kept.isWhole() ? unpacked(encoding, kept.all()) : undefined;
      if (!plain) return { told: [], written: kept.bytes() };
      reader.read(plain);
      return reader.end();
    },
  };
}

/** @returns nothing for what cannot be unpacked. One that breaks off gives what came of it */
function unpacked(encoding: string, bytes: Buffer): Buffer | undefined {
  const limits = { maxOutputLength: MAX_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    if (encoding === "gzip" || encoding === "x-gzip") return gunzipSync(bytes, limits);
    if (encoding === "deflate") return inflateSync(bytes, limits);
    if (encoding === "br")
      return brotliDecompressSync(bytes, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  } catch {
    // Damaged, or larger than an answer is.
  }
  return undefined;
}

function readWhole(): AnswerReader {
  const kept = keepBytes();
  return {
    read: kept.add,
    end() {
      const told = collectUsage();
      const text = kept.all().toString("utf8");
      const answer = kept.isWhole() ? parsed(text) : undefined;
      if (answer !== undefined) for (const each of Array.isArray(answer) ? answer : [answer]) told.hear(each);
      else told.hear(usageWithin(text));
      const { told: all, written } = told.usage();
      return { told: all, written: answer === undefined ? kept.bytes() : written };
    },
  };
}

/**
 * The usage in a text of JSON that is too long to be kept, or that breaks off. Quotes within a string are escaped in it, so that a
 * model cannot write such a key.
 */
function usageWithin(text: string): Json | undefined {
  const found = [
    ...text.matchAll(/(?<!\\)"(usage|usageMetadata)"\s*:\s*(\{(?:[^{}"]|"[^"\\]*"|\{[^{}]*\})*\})/g),
  ];
  const last = found.at(-1);
  if (!last) return undefined;
  const model = text.match(/(?<!\\)"(?:model|modelVersion)"\s*:\s*"([^"\\]+)"/)?.[1];
  return { model, [last[1] ?? ""]: parsed(last[2] ?? "") };
}

/** Keeps a text as long as it is no longer than the most, and of a longer one the beginning and the end. */
export function keepBytes(most = MAX_BYTES) {
  let parts: Buffer[] = [];
  let held = 0;
  let bytes = 0;
  let head: Buffer | undefined;
  return {
    add(part: Buffer) {
      bytes += part.length;
      held += part.length;
      parts.push(part);
      // Not at each of many small pieces.
      if (held <= most + EDGE_BYTES) return;
      const all = Buffer.concat(parts);
      // Copies: a part of it would hold all of it.
      head ??= Buffer.from(all.subarray(0, EDGE_BYTES));
      const tail = Buffer.from(all.subarray(-EDGE_BYTES));
      parts = [tail];
      held = tail.length;
    },
    bytes: () => bytes,
    isWhole: () => head === undefined,
    all: () => Buffer.concat(head ? [head, ...parts] : parts),
  };
}

/** @param eventIn finds the event in a line */
function readLines(eventIn: (line: string) => string | undefined): AnswerReader {
  const told = collectUsage();
  const decoder = new TextDecoder();
  /** The beginning of a line whose end has not come; nothing of one that is too long. */
  let rest: string[] = [];
  let length = 0;
  const hear = (line: string) => told.hear(parsed(eventIn(line) ?? ""));
  return {
    read(part) {
      const [first = "", ...lines] = decoder.decode(part, { stream: true }).split("\n");
      length += first.length;
      if (length <= MAX_BYTES) rest.push(first);
      else rest = [];
      const last = lines.pop();
      if (last === undefined) return;
      for (const line of [rest.join(""), ...lines]) hear(line);
      rest = [last];
      length = last.length;
    },
    end() {
      hear(rest.join(""));
      rest = [];
      return told.usage();
    },
  };
}

function collectUsage() {
  let model: string | null = null;
  let found: Counts | undefined;
  let written = 0;
  const ofBatch: ModelUsage[] = [];
  return {
    hear(event: unknown) {
      if (!isObject(event)) return;
      const inBatch = answerInBatch(event);
      if (inBatch) {
        const { told } = readOne(inBatch);
        ofBatch.push(...told);
        return;
      }
      // An event of a stream holds the answer so far, under one of these names.
      const answer = [event.message, event.response].find(isObject) ?? event;
      const name = answer.model ?? answer.modelVersion;
      if (typeof name === "string" && name !== "") model = name.slice(0, MAX_MODEL);
      written += writtenIn(event);
      const usage = [answer.usage, answer.usageMetadata].find(isObject);
      if (usage) found = later(found, usageOf(usage));
      else if ("eval_count" in answer) found = later(found, usageOf(answer));
    },
    usage(): AnswerUsage {
      return { told: [...ofBatch, ...(found ? [{ model, ...found, costUsd: null }] : [])], written };
    },
  };
}

function readOne(answer: Json): AnswerUsage {
  const told = collectUsage();
  told.hear(answer);
  return told.usage();
}

/** A line of the results of a batch, of Anthropic or of OpenAI. */
function answerInBatch({ custom_id, result, response }: Json): Json | undefined {
  if (custom_id === undefined) return undefined;
  if (isObject(result) && isObject(result.message)) return result.message;
  return isObject(response) && isObject(response.body) ? response.body : undefined;
}

/** The keys under which answers have what their model has written. */
const WRITTEN = new Set([
  ...["text", "thinking", "partial_json", "content", "arguments", "delta", "refusal", "reasoning"],
  ...["reasoning_content", "response", "b64_json", "data"],
]);
const MAX_DEPTH = 10;

function writtenIn(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const [key, inner] of Object.entries(value))
    bytes +=
      typeof inner === "string"
        ? WRITTEN.has(key)
          ? Buffer.byteLength(inner)
          : 0
        : writtenIn(inner, depth + 1);
  return bytes;
}

type Counts = Omit<ModelUsage, "model" | "costUsd">;

/** Each event tells all so far, and may leave out what an earlier one has told. */
function later(before: Counts | undefined, now: Counts): Counts {
  if (!before) return now;
  return {
    inputTokens: Math.max(before.inputTokens, now.inputTokens),
    outputTokens: Math.max(before.outputTokens, now.outputTokens),
    cachedTokens: Math.max(before.cachedTokens, now.cachedTokens),
  };
}

function usageOf(usage: Json): Counts {
  const of = (key: string) => numberOf(usage[key]);
  const within = (key: string, part: string) => (isObject(usage[key]) ? numberOf(usage[key][part]) : 0);
  // Anthropic counts what was read from a cache, and what was written to it, apart from the input.
  const besides =
    of("cache_read_input_tokens") +
    of("cache_creation_input_tokens") +
    of("cacheReadInputTokens") +
    of("cacheWriteInputTokens");
  return {
    inputTokens:
      of("input_tokens") +
      besides +
      of("prompt_tokens") +
      of("promptTokenCount") +
      of("toolUsePromptTokenCount") +
      of("inputTokens") +
      of("prompt_eval_count"),
    outputTokens:
      of("output_tokens") +
      of("completion_tokens") +
      of("candidatesTokenCount") +
      of("thoughtsTokenCount") +
      of("outputTokens") +
      of("eval_count"),
    cachedTokens:
      of("cache_read_input_tokens") +
      of("cacheReadInputTokens") +
      within("input_tokens_details", "cached_tokens") +
      within("prompt_tokens_details", "cached_tokens") +
      of("cachedContentTokenCount"),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

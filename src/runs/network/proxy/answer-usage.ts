import type { IncomingHttpHeaders } from "node:http";
import { type ModelUsage, numberOf } from "../../harness/model-usage.ts";

/** Reads what an answer of a model says of the tokens that it took, while it passes by. */
export interface AnswerReader {
  read(bytes: Buffer): void;
  /** What the whole answer, or what came of it, has told; nothing where it told nothing. */
  end(): ModelUsage | undefined;
}

/** A longer answer, or a longer line of one, is not read: it takes a processor that all runs share. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_MODEL = 200;

type Json = Readonly<Record<string, unknown>>;

/**
 * A reader for answers in the forms of Anthropic (Messages), OpenAI (Chat Completions and Responses) and Google (Gemini), whole or as
 * a stream of events.
 * @returns nothing for an answer of another kind
 */
export function readAnswer(headers: IncomingHttpHeaders): AnswerReader | undefined {
  // What is compressed cannot be read; the proxy does not ask for it.
  if ((headers["content-encoding"] ?? "identity") !== "identity") return undefined;
  const type = headers["content-type"]?.split(";")[0]?.trim();
  if (type === "text/event-stream") return readEvents();
  return type === "application/json" ? readWhole() : undefined;
}

function readWhole(): AnswerReader {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    read(part) {
      bytes += part.length;
      if (bytes <= MAX_BYTES) parts.push(part);
      else parts.length = 0;
    },
    end() {
      const told = collectUsage();
      const answer = parsed(Buffer.concat(parts).toString("utf8"));
      for (const each of Array.isArray(answer) ? answer : [answer]) told.hear(each);
      return told.usage();
    },
  };
}

function readEvents(): AnswerReader {
  const told = collectUsage();
  const decoder = new TextDecoder();
  /** The beginning of a line whose end has not come; nothing of one that is too long. */
  let rest: string[] = [];
  let length = 0;
  return {
    read(part) {
      const [first = "", ...lines] = decoder.decode(part, { stream: true }).split("\n");
      length += first.length;
      if (length <= MAX_BYTES) rest.push(first);
      else rest = [];
      const last = lines.pop();
      if (last === undefined) return;
      for (const line of [rest.join(""), ...lines])
        if (line.startsWith("data:")) told.hear(parsed(line.slice("data:".length)));
      rest = [last];
      length = last.length;
    },
    end: told.usage,
  };
}

function collectUsage() {
  let model: string | null = null;
  let found: Omit<ModelUsage, "model" | "costUsd"> | undefined;
  return {
    hear(event: unknown) {
      if (!isObject(event)) return;
      // An event of a stream holds the answer so far, under one of these names.
      const answer = [event.message, event.response].find(isObject) ?? event;
      const name = answer.model ?? answer.modelVersion;
      if (typeof name === "string" && name !== "") model = name.slice(0, MAX_MODEL);
      const usage = [answer.usage, answer.usageMetadata].find(isObject);
      if (usage) found = later(found, usageOf(usage));
    },
    usage: (): ModelUsage | undefined => found && { model, ...found, costUsd: null },
  };
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
  const besides = of("cache_read_input_tokens") + of("cache_creation_input_tokens");
  return {
    inputTokens: of("input_tokens") + besides + of("prompt_tokens") + of("promptTokenCount"),
    outputTokens:
      of("output_tokens") + of("completion_tokens") + of("candidatesTokenCount") + of("thoughtsTokenCount"),
    cachedTokens:
      of("cache_read_input_tokens") +
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

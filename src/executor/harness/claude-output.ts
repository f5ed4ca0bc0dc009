import { type ModelUsage, numberOf, sumUsage } from "../output/model-usage.ts";
import { type HarnessEvent, parseEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import type { LineReader, OutputReport } from "./output-reader.ts";

/** One event of `claude --print --output-format stream-json --verbose`. */
interface ClaudeEvent {
  type?: string;
  subtype?: string;
  session_id?: string;
  result?: string;
  /** The answer to `--json-schema`. */
  structured_output?: unknown;
  is_error?: boolean;
  errors?: string[];
  message?: { id?: string; model?: string; usage?: ClaudeUsage; content?: ClaudeBlock[] | string };
  /** Of a system event: what could not be reached, and the request that is tried again. */
  mcp_servers?: { name?: string; status?: string }[];
  attempt?: number;
  max_retries?: number;
  error_status?: number | null;
  error?: string;
  total_cost_usd?: number;
  duration_ms?: number;
  usage?: ClaudeUsage;
  modelUsage?: Record<string, ClaudeModelUsage>;
}

interface ClaudeBlock {
  type?: string;
  text?: string;
  name?: string;
  input?: unknown;
  content?: ClaudeBlock[] | string;
  is_error?: boolean;
}

interface ClaudeUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
}

interface ClaudeModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  costUSD?: number;
}

/** A key that was refused once may be a gateway that starts; refused again, it stays refused. */
const REFUSED_ATTEMPTS = 2;

/** Reads what claude writes in one turn. */
export function claudeReader(): LineReader {
  /** By the id of the message: each of its blocks comes as an event with the usage of all of it. */
  const used = new Map<string, ModelUsage>();

  function report(event: ClaudeEvent): OutputReport {
    switch (event.type) {
      case "system":
        return systemReport(event);
      case "assistant": {
        const text = blocksOf(event.message?.content).map(blockText).filter(Boolean).join("\n");
        const usage = messageUsage(event);
        if (usage === undefined) return { isIdle: false, text };
        used.set(event.message?.id ?? "", usage);
        return { isIdle: false, text, usage: sumUsage(used.values()) };
      }
      case "user":
        return { text: blocksOf(event.message?.content).map(toolResultText).filter(Boolean).join("\n") };
      case "result":
        return { isIdle: true, ...resultReport(event) };
      default:
        return {};
    }
  }

  return (line) => {
    const event = parseEvent<ClaudeEvent>(line);
    if (!event) return undefined;
    const reported = report(event);
    return { ...reported, events: claudeEvents(event, reported.text) };
  };
}

function systemReport(event: ClaudeEvent): OutputReport {
  switch (event.subtype) {
    case "init": {
      const failed = (event.mcp_servers ?? []).filter(({ status }) => status === "failed");
      return {
        ...(event.session_id ? { session: event.session_id } : {}),
        ...(failed.length > 0 ? { failedServers: failed.map(({ name = "" }) => name) } : {}),
      };
    }
    case "api_retry":
      return retryReport(event);
    default:
      return {};
  }
}

function retryReport({
  error_status: status,
  error,
  attempt = 1,
  max_retries: most,
}: ClaudeEvent): OutputReport {
  const what = status ? `HTTP ${status}${error ? ` (${error})` : ""}` : (error ?? "no answer");
  const isRefused = status === 401 || status === 403;
  return {
    text: `[the model returned ${what}; retry ${attempt}${most === undefined ? "" : ` of ${most}`}]`,
    failure: isRefused ? `The model rejected the key: ${what}.` : `The model returned ${what}.`,
    ...(isRefused && attempt >= REFUSED_ATTEMPTS ? { isFatal: true } : {}),
  };
}

function resultReport({
  subtype,
  result,
  is_error: isError,
  errors = [],
  structured_output: structured,
  ...event
}: ClaudeEvent): OutputReport {
  const usage = finalUsage(event);
  const ofUsage = usage === undefined ? {} : { usage };
  if (!isError && (subtype === undefined || subtype === "success"))
    return { failure: "", ...answerReport(result, structured), ...ofUsage };
  // What stands in `result` was an event of its own.
  return {
    text: errors.join("\n"),
    failure: errors.join("; ") || result || subtype || "an error",
    ...ofUsage,
  };
}

/** An answer with a schema has no text in some versions. */
function answerReport(result: string | undefined, structured: unknown): OutputReport {
  if (structured == null) return result === undefined ? {} : { answer: result };
  return { answer: result || JSON.stringify(structured, null, 2), answerJson: JSON.stringify(structured) };
}

/** The last word on all that the program has used; one without a price has used nothing. */
function finalUsage({ modelUsage = {}, total_cost_usd: cost, usage }: ClaudeEvent): ModelUsage[] | undefined {
  const models = Object.entries(modelUsage);
  if (models.length > 0) {
    return models.map(([model, own]) => ({
      model,
      inputTokens:
        numberOf(own.inputTokens) +
        numberOf(own.cacheReadInputTokens) +
        numberOf(own.cacheCreationInputTokens),
      outputTokens: numberOf(own.outputTokens),
      cachedTokens: numberOf(own.cacheReadInputTokens),
      // Of a model whose price it does not know it says 0.
      costUsd: numberOf(own.costUSD) || null,
    }));
  }
  return cost && usage ? [{ ...usageOf(null, usage), costUsd: cost }] : undefined;
}

function messageUsage({ message }: ClaudeEvent): ModelUsage | undefined {
  // What the program says itself, of an error for example, is by no model.
  if (!message?.usage || !message.model || message.model.startsWith("<")) return undefined;
  return usageOf(message.model, message.usage);
}

function usageOf(model: string | null, usage: ClaudeUsage): ModelUsage {
  const cached = numberOf(usage.cache_read_input_tokens);
  return {
    model,
    inputTokens: numberOf(usage.input_tokens) + numberOf(usage.cache_creation_input_tokens) + cached,
    outputTokens: numberOf(usage.output_tokens),
    cachedTokens: cached,
    costUsd: null,
  };
}

function blocksOf(content: ClaudeBlock[] | string | undefined): ClaudeBlock[] {
  return Array.isArray(content) ? content : [];
}

function blockText({ type, text = "", name, input }: ClaudeBlock): string {
  if (type === "text") return text;
  return type === "tool_use" ? `> ${name} ${JSON.stringify(input)}` : "";
}

/** What a tool answered, a text or several, with images as what they are. */
function toolResultText({ type, content, is_error: isError }: ClaudeBlock): string {
  if (type !== "tool_result") return "";
  const text =
    typeof content === "string"
      ? content
      : blocksOf(content)
          .map((block) => (block.type === "text" ? (block.text ?? "") : `[${block.type}]`))
          .join("\n");
  return isError ? `[the tool failed] ${text}` : text;
}

/** A message as such a session reads it, when its input is `stream-json`. */
export function claudeMessage(text: string): string {
  const message = { role: "user", content: [{ type: "text", text }] };
  return `${JSON.stringify({ type: "user", message })}\n`;
}

/** The parts of an event of claude that tell of its work. */
interface ClaudeWork {
  type?: string;
  is_error?: boolean | undefined;
  total_cost_usd?: number | undefined;
  duration_ms?: number | undefined;
  usage?: ClaudeTokens | undefined;
  message?: { content?: unknown } | undefined;
}

interface ClaudeTokens {
  input_tokens?: unknown;
  output_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
}

interface WorkBlock {
  type?: string;
  id?: unknown;
  text?: unknown;
  thinking?: unknown;
  name?: unknown;
  input?: unknown;
  tool_use_id?: unknown;
  content?: unknown;
  is_error?: unknown;
}

/** What claude tells of its work in one event. @param text what a person reads of the event */
function claudeEvents(event: ClaudeWork, text = ""): HarnessEvent[] {
  switch (event.type) {
    case "assistant":
    case "user":
      return workBlocks(event.message?.content).flatMap(blockEvents);
    case "result":
      return [resultEvent(event, text)];
    default:
      return text === "" ? [] : [{ type: "notice", text }];
  }
}

function blockEvents(block: WorkBlock): HarnessEvent[] {
  switch (block.type) {
    case "text":
      return withText("message", block.text);
    case "thinking":
      return withText("thinking", block.thinking);
    case "tool_use":
      return [toolCall(block.name, block.input, block.id)];
    case "tool_result":
      return [toolResult(contentText(block.content), block.is_error === true, block.tool_use_id)];
    default:
      return [];
  }
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return workBlocks(content)
    .map(({ type, text }) => (type === "text" ? textOf(text) : `[${textOf(type)}]`))
    .join("\n");
}

function resultEvent(event: ClaudeWork, text: string): HarnessEvent {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    event.usage ?? {};
  const parts = [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens];
  const tokens = parts.reduce<number>((sum, part) => sum + numberOf(part), 0);
  const costUsd = numberOf(event.total_cost_usd);
  const durationMs = numberOf(event.duration_ms);
  return {
    type: "result",
    ...(text === "" ? {} : { text }),
    ...(event.is_error === true ? { isError: true } : {}),
    ...(costUsd > 0 ? { costUsd } : {}),
    ...(durationMs > 0 ? { durationMs } : {}),
    ...(tokens > 0 ? { tokens } : {}),
  };
}

function workBlocks(content: unknown): WorkBlock[] {
  return Array.isArray(content) ? content.filter((block) => block !== null && typeof block === "object") : [];
}

import { type HarnessEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import { numberOf } from "./model-usage.ts";

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

interface Block {
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
export function claudeEvents(event: ClaudeWork, text = ""): HarnessEvent[] {
  switch (event.type) {
    case "assistant":
    case "user":
      return blocksOf(event.message?.content).flatMap(blockEvents);
    case "result":
      return [resultEvent(event, text)];
    default:
      return text === "" ? [] : [{ type: "notice", text }];
  }
}

function blockEvents(block: Block): HarnessEvent[] {
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
  return blocksOf(content)
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

function blocksOf(content: unknown): Block[] {
  return Array.isArray(content) ? content.filter((block) => block !== null && typeof block === "object") : [];
}

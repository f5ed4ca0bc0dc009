import { numberOf } from "../output/model-usage.ts";
import { type HarnessEvent, parseEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import type { LineReader, OutputReport } from "./output-reader.ts";

/** One event of `codex exec --json`. */
interface CodexEvent {
  type?: string;
  thread_id?: string;
  message?: string;
  error?: { message?: string };
  item?: CodexItem;
  usage?: { input_tokens?: number; cached_input_tokens?: number; output_tokens?: number };
}

interface CodexItem {
  id?: string;
  type?: string;
  status?: string;
  text?: string;
  message?: string;
  command?: string;
  aggregated_output?: string;
  exit_code?: number | null;
  changes?: { path?: string; kind?: string }[];
  items?: { text?: string; completed?: boolean }[];
  query?: string;
  server?: string;
  tool?: string;
  arguments?: unknown;
  result?: { content?: { type?: string; text?: string }[] } | null;
  error?: { message?: string } | null;
}

/**
 * What codex says of a key that is refused. Its first attempts are by WebSocket, which a proxy may refuse for reasons of its
 * own; those that come after decide.
 */
const REFUSED_KEY = /unexpected status (?:401|403)\b(?!.*url: wss?:)/s;

/** Reads what codex writes in one turn. */
export function codexReader(): LineReader {
  let lastError = "";
  const eventsOf = codexEvents();

  function report(event: CodexEvent): OutputReport {
    switch (event.type) {
      case "thread.started":
        return event.thread_id ? { session: event.thread_id } : {};
      case "item.started":
      case "item.updated":
        // Other items come once more, whole.
        return event.item?.type === "todo_list" ? { text: todoText(event.item) } : {};
      case "item.completed":
        return event.item ? itemReport(event.item) : {};
      case "error":
        lastError = event.message ?? "an error";
        return { text: lastError, ...failureReport(lastError) };
      case "turn.failed": {
        // It mostly comes as an error as well.
        const message = event.error?.message ?? "the turn failed";
        return { ...(message === lastError ? {} : { text: message }), ...failureReport(message) };
      }
      case "turn.completed":
        return { failure: "", ...usageReport(event) };
      default:
        return {};
    }
  }

  return (line) => {
    const event = parseEvent<CodexEvent>(line);
    if (!event) return undefined;
    const reported = report(event);
    return { ...reported, events: eventsOf(event as Parameters<typeof eventsOf>[0], reported.text) };
  };
}

function failureReport(message: string): OutputReport {
  return { failure: message, ...(REFUSED_KEY.test(message) ? { isFatal: true } : {}) };
}

function usageReport({ usage }: CodexEvent): OutputReport {
  if (!usage) return {};
  const one = {
    model: null,
    inputTokens: numberOf(usage.input_tokens),
    outputTokens: numberOf(usage.output_tokens),
    cachedTokens: numberOf(usage.cached_input_tokens),
    costUsd: null,
  };
  // A session that is gone on with counts its earlier turns again.
  return { usage: [one], isUsageOfSession: true };
}

function itemReport(item: CodexItem): OutputReport {
  const { text = "" } = item;
  switch (item.type) {
    case "agent_message":
      return { text, answer: text };
    case "reasoning":
      return { text };
    case "command_execution":
      return { text: lines(`$ ${item.command}`, item.aggregated_output?.trimEnd(), exitText(item)) };
    case "file_change":
      return {
        text: lines(
          ...(item.changes ?? []).map(({ kind, path }) => `[${kind ?? "change"} ${path}]`),
          failedText(item),
        ),
      };
    case "todo_list":
      return { text: todoText(item) };
    case "web_search":
      return { text: `> web search ${JSON.stringify(item.query ?? "")}` };
    case "mcp_tool_call":
      return {
        text: lines(`> ${item.server} ${item.tool} ${JSON.stringify(item.arguments)}`, toolResultText(item)),
      };
    case "error":
      return { text: item.message ?? "" };
    default: {
      // An item of a later version: it is shown as it is rather than lost.
      const { id: _, type, ...rest } = item;
      return type === undefined ? {} : { text: `> ${type} ${JSON.stringify(rest)}` };
    }
  }
}

function exitText({ exit_code: code, status }: CodexItem): string {
  return code === undefined || code === null ? `[${status ?? "ended"}]` : `[exit code ${code}]`;
}

function failedText({ status }: CodexItem): string {
  return status === "failed" ? "[the change failed]" : "";
}

function todoText({ items = [] }: CodexItem): string {
  return lines(...items.map(({ text, completed }) => `[${completed ? "x" : " "}] ${text}`));
}

function toolResultText({ result, error }: CodexItem): string {
  if (error?.message) return `[the tool failed] ${error.message}`;
  return lines(
    ...(result?.content ?? []).map((block) =>
      block.type === "text" ? (block.text ?? "") : `[${block.type}]`,
    ),
  );
}

function lines(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join("\n");
}

/** The parts of an event of codex that tell of its work. */
interface CodexWork {
  type?: string;
  usage?: Record<string, unknown>;
  item?: CodexWorkItem;
}

interface CodexWorkItem extends Record<string, unknown> {
  id?: unknown;
  type?: unknown;
}

/** What it says of a connection that it opens again: where it gives up, it says so in another event. */
const RETRIES = /^Reconnecting\b.*?\d+\/\d+/;

/** Calls under way; a program that begins without end is not remembered without end. */
const MAX_CALLS = 1_000;

/** Reads what codex tells of its work in a turn. A call is told when it begins, or with its result where it was not. */
function codexEvents(): (event: CodexWork, text?: string) => HarnessEvent[] {
  const begun = new Set<unknown>();
  return ({ type, item, usage }, text = "") => {
    switch (type) {
      case "item.started":
        if (item && begun.size < MAX_CALLS) begun.add(item.id);
        return item ? startEvents(item) : [];
      case "item.updated":
        return item?.type === "todo_list" ? startEvents(item) : [];
      case "item.completed":
        if (!item) return [];
        return begun.delete(item.id) ? endEvents(item, text) : [...callOf(item), ...endEvents(item, text)];
      case "turn.completed": {
        const tokens = numberOf(usage?.input_tokens) + numberOf(usage?.output_tokens);
        return [{ type: "result", ...(tokens > 0 ? { tokens } : {}) }];
      }
      case "error":
      case "turn.failed":
        if (text === "") return [];
        return [{ type: "notice", text, ...(RETRIES.test(text) ? {} : { isError: true }) }];
      default:
        return [];
    }
  };
}

function startEvents(item: CodexWorkItem): HarnessEvent[] {
  return item.type === "todo_list" ? withText("plan", planText(item)) : callOf(item);
}

function endEvents(item: CodexWorkItem, text: string): HarnessEvent[] {
  switch (item.type) {
    case "agent_message":
      return withText("message", item.text);
    case "reasoning":
      return withText("thinking", item.text);
    case "todo_list":
      return withText("plan", planText(item));
    case "command_execution": {
      const code = typeof item.exit_code === "number" ? item.exit_code : undefined;
      const ending = code === undefined || code === 0 ? "" : `[exit code ${code}]`;
      const output = [textOf(item.aggregated_output).trimEnd(), ending].filter(Boolean).join("\n");
      return [toolResult(output, item.status === "failed" || (code ?? 0) !== 0, item.id)];
    }
    case "mcp_tool_call": {
      const failure = (item.error as { message?: unknown } | null | undefined)?.message;
      const output = failure === undefined ? resultText(item.result) : textOf(failure);
      return [toolResult(output, failure !== undefined, item.id)];
    }
    case "file_change":
      return [toolCall("file change", text, item.id)];
    case "web_search":
      return [toolCall("web search", item.query, item.id)];
    case "error":
      // Such an item is a warning of the program, which goes on; what ends a turn is an event of its own.
      return withText("notice", item.message);
    default: {
      const { id, type, ...rest } = item;
      return type === undefined ? [] : [toolCall(type, rest, id)];
    }
  }
}

function callOf(item: CodexWorkItem): HarnessEvent[] {
  switch (item.type) {
    case "command_execution":
      return [toolCall("command", item.command, item.id)];
    case "mcp_tool_call":
      return [toolCall(`${textOf(item.server)} ${textOf(item.tool)}`, item.arguments, item.id)];
    default:
      return [];
  }
}

function resultText(result: unknown): string {
  const { content } = (result ?? {}) as { content?: unknown };
  if (!Array.isArray(content)) return textOf(result);
  return content
    .map((block) => (block?.type === "text" ? textOf(block.text) : `[${textOf(block?.type)}]`))
    .join("\n");
}

function planText({ items }: CodexWorkItem): string {
  if (!Array.isArray(items)) return "";
  return items.map((item) => `- [${item?.completed === true ? "x" : " "}] ${textOf(item?.text)}`).join("\n");
}

import { codexEvents } from "./codex-events.ts";
import { numberOf } from "./model-usage.ts";
import type { LineReader, OutputReport } from "./output-reader.ts";
import { parseEvent } from "./parse-event.ts";

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
        text: lines(`> ${item.server} ${item.tool} ${JSON.stringify(item.arguments)}`, toolResult(item)),
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

function toolResult({ result, error }: CodexItem): string {
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

import { type HarnessEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import { numberOf } from "./model-usage.ts";

/** The parts of an event of codex that tell of its work. */
interface CodexWork {
  type?: string;
  usage?: Record<string, unknown>;
  item?: CodexItem;
}

interface CodexItem extends Record<string, unknown> {
  id?: unknown;
  type?: unknown;
}

/** What it says of a connection that it opens again: where it gives up, it says so in another event. */
const RETRIES = /^Reconnecting\b.*?\d+\/\d+/;

/** Calls under way; a program that begins without end is not remembered without end. */
const MAX_CALLS = 1_000;

/** Reads what codex tells of its work in a turn. A call is told when it begins, or with its result where it was not. */
export function codexEvents(): (event: CodexWork, text?: string) => HarnessEvent[] {
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

function startEvents(item: CodexItem): HarnessEvent[] {
  return item.type === "todo_list" ? withText("plan", planText(item)) : callOf(item);
}

function endEvents(item: CodexItem, text: string): HarnessEvent[] {
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

function callOf(item: CodexItem): HarnessEvent[] {
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

function planText({ items }: CodexItem): string {
  if (!Array.isArray(items)) return "";
  return items.map((item) => `- [${item?.completed === true ? "x" : " "}] ${textOf(item?.text)}`).join("\n");
}

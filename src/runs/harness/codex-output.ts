import type { OutputReport } from "./output-reader.ts";
import { parseEvent } from "./parse-event.ts";

/** One event of `codex exec --json`. */
interface CodexEvent {
  type?: string;
  thread_id?: string;
  message?: string;
  error?: { message?: string };
  item?: CodexItem;
}

interface CodexItem {
  type?: string;
  text?: string;
  message?: string;
  command?: string;
  aggregated_output?: string;
  server?: string;
  tool?: string;
  arguments?: unknown;
}

export function readCodexLine(line: string): OutputReport | undefined {
  const event = parseEvent<CodexEvent>(line);
  switch (event?.type) {
    case "thread.started":
      return event.thread_id ? { session: event.thread_id } : {};
    case "item.completed":
      return event.item ? itemReport(event.item) : {};
    case "error":
      return { text: event.message ?? "" };
    case "turn.failed":
      return { text: event.error?.message ?? "the turn failed" };
    default:
      return event && {};
  }
}

function itemReport(item: CodexItem): OutputReport {
  const { text = "" } = item;
  switch (item.type) {
    case "agent_message":
      return { text, answer: text };
    case "reasoning":
      return { text };
    case "command_execution":
      return { text: `$ ${item.command}\n${item.aggregated_output ?? ""}`.trimEnd() };
    case "mcp_tool_call":
      return { text: `> ${item.server} ${item.tool} ${JSON.stringify(item.arguments)}` };
    case "error":
      return { text: item.message ?? "" };
    default:
      return {};
  }
}

import { type HarnessEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import { numberOf } from "./model-usage.ts";

/** The parts of an event of gemini that tell of its work. */
interface GeminiWork {
  type?: string;
  role?: string;
  content?: unknown;
  tool_id?: unknown;
  tool_name?: unknown;
  parameters?: unknown;
  status?: unknown;
  output?: unknown;
  severity?: unknown;
  message?: unknown;
  error?: { message?: unknown };
  stats?: { total_tokens?: number; duration_ms?: number };
}

/** In characters. What is longer is told in parts. */
const MAX_MESSAGE = 32_000;

/**
 * Reads what gemini tells of its work in a turn. What it says comes in pieces and is told whole, so that no secret is cut where
 * two pieces meet.
 */
export function geminiEvents(): (event: GeminiWork) => HarnessEvent[] {
  let said = "";

  function message(): HarnessEvent[] {
    const text = said;
    said = "";
    return withText("message", text);
  }

  return (event) => {
    switch (event.type) {
      case "message":
        if (event.role !== "assistant") return [];
        said += textOf(event.content);
        return said.length > MAX_MESSAGE ? message() : [];
      case "tool_use":
        return [...message(), toolCall(event.tool_name, event.parameters, event.tool_id)];
      case "tool_result": {
        const isError = event.status === "error";
        const output = textOf(isError ? (event.error?.message ?? event.output) : event.output);
        return [...message(), toolResult(output, isError, event.tool_id)];
      }
      case "error": {
        const isError = event.severity === "error";
        return [
          ...message(),
          { type: "notice", text: textOf(event.message), ...(isError ? { isError: true as const } : {}) },
        ];
      }
      case "result":
        return [...message(), resultEvent(event)];
      default:
        return [];
    }
  };
}

function resultEvent({ status, error, stats }: GeminiWork): HarnessEvent {
  const tokens = numberOf(stats?.total_tokens);
  const durationMs = numberOf(stats?.duration_ms);
  return {
    type: "result",
    ...(status === "success" ? {} : { isError: true as const, text: textOf(error?.message) }),
    ...(tokens > 0 ? { tokens } : {}),
    ...(durationMs > 0 ? { durationMs } : {}),
  };
}

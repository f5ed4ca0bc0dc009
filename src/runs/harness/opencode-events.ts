import { type HarnessEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import { numberOf } from "./model-usage.ts";

/** The parts of an event of opencode that tell of its work. */
interface OpencodeWork {
  type?: string;
  part?: {
    id?: unknown;
    text?: unknown;
    tool?: unknown;
    state?: { status?: unknown; input?: unknown; output?: unknown; error?: unknown };
    cost?: number;
    tokens?: { total?: number };
  };
  error?: { name?: unknown; data?: { message?: unknown } };
}

/** What opencode tells of its work in one event. */
export function opencodeEvents({ type, part = {}, error = {} }: OpencodeWork): HarnessEvent[] {
  switch (type) {
    case "text":
      return withText("message", part.text);
    case "reasoning":
      return withText("thinking", part.text);
    case "tool_use": {
      const { status, input, output, error: failure } = part.state ?? {};
      const isError = status === "error";
      const result = toolResult(textOf(isError ? failure : output), isError, part.id);
      return [toolCall(part.tool, input, part.id), result];
    }
    case "step_finish": {
      const costUsd = numberOf(part.cost);
      const tokens = numberOf(part.tokens?.total);
      return [{ type: "result", ...(costUsd > 0 ? { costUsd } : {}), ...(tokens > 0 ? { tokens } : {}) }];
    }
    case "error":
      return [{ type: "notice", text: textOf(error.data?.message ?? error.name), isError: true }];
    default:
      return [];
  }
}

import { type HarnessEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import { numberOf } from "./model-usage.ts";

/** The parts of an event of opencode that tell of its work. */
interface OpencodeWork {
  type?: string;
  part?: {
    id?: unknown;
    text?: unknown;
    tool?: unknown;
    state?: {
      status?: unknown;
      input?: unknown;
      output?: unknown;
      error?: unknown;
      metadata?: { exit?: unknown } | null;
    };
    /** Why a step ended: `tool-calls` where another one follows. */
    reason?: unknown;
    cost?: number;
    tokens?: { total?: number };
  };
  error?: { name?: unknown; data?: { message?: unknown } };
}

/**
 * Reads what opencode tells of its work in a turn. Each answer of its model is a step, and one that calls tools is followed by
 * another: only the last one ends what the agent does, with the tokens and the cost of all of them.
 */
export function opencodeEvents(): (event: OpencodeWork) => HarnessEvent[] {
  let costUsd = 0;
  let tokens = 0;

  function stepEvents({ reason, cost, tokens: own }: NonNullable<OpencodeWork["part"]>): HarnessEvent[] {
    costUsd += numberOf(cost);
    tokens += numberOf(own?.total);
    if (reason === "tool-calls") return [];
    const result: HarnessEvent = {
      type: "result",
      ...(costUsd > 0 ? { costUsd } : {}),
      ...(tokens > 0 ? { tokens } : {}),
    };
    costUsd = 0;
    tokens = 0;
    return [result];
  }

  return ({ type, part = {}, error = {} }) => {
    switch (type) {
      case "text":
        return withText("message", part.text);
      case "reasoning":
        return withText("thinking", part.text);
      case "tool_use": {
        const { status, input, output, error: failure, metadata } = part.state ?? {};
        const code = numberOf(metadata?.exit);
        const ending = code === 0 ? "" : `[exit code ${code}]`;
        const said = textOf(status === "error" ? failure : output);
        const told = ending === "" ? said : [said.trimEnd(), ending].filter(Boolean).join("\n");
        const result = toolResult(told, status === "error" || code !== 0, part.id);
        return [toolCall(part.tool, input, part.id), result];
      }
      case "step_finish":
        return stepEvents(part);
      case "error":
        return [{ type: "notice", text: textOf(error.data?.message ?? error.name), isError: true }];
      default:
        return [];
    }
  };
}

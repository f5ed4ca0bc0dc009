import { type ModelUsage, numberOf, sumUsage } from "../output/model-usage.ts";
import { type HarnessEvent, parseEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import type { LineReader, OutputReport } from "./output-reader.ts";

/** One event of `opencode run --format json`. */
interface OpencodeEvent {
  type?: string;
  sessionID?: string;
  part?: OpencodePart;
  error?: OpencodeError;
}

interface OpencodePart {
  id?: string;
  text?: string;
  tool?: string;
  state?: {
    status?: string;
    input?: unknown;
    output?: string;
    error?: string;
    metadata?: { exit?: number | null };
  };
  tokens?: {
    total?: number;
    input?: number;
    output?: number;
    reasoning?: number;
    cache?: { read?: number; write?: number };
  };
  cost?: number;
}

interface OpencodeError {
  name?: string;
  data?: { message?: string; statusCode?: number; ref?: string };
}

/** Reads what opencode writes in one turn. */
export function opencodeReader(): LineReader {
  let session = "";
  /** What was said in the present step. */
  let said: string[] = [];
  /** By step. */
  const used = new Map<string, ModelUsage>();
  const eventsOf = opencodeEvents();

  function report({ type, part = {}, error = {} }: OpencodeEvent): OutputReport {
    switch (type) {
      case "step_start":
        said = [];
        return {};
      case "text":
        said.push(part.text ?? "");
        return { text: part.text ?? "", answer: said.join("\n") };
      case "reasoning":
        return { text: part.text ?? "" };
      case "tool_use":
        return { text: toolText(part) };
      case "step_finish":
        used.set(part.id ?? String(used.size), usageOf(part));
        return { failure: "", usage: sumUsage(used.values()) };
      case "error":
        return failureReport(error);
      default:
        return {};
    }
  }

  return (line) => {
    const event = parseEvent<OpencodeEvent>(line);
    if (event?.type === undefined) return undefined;
    const reported = { ...report(event), events: eventsOf(event) };
    if (event.sessionID === undefined || event.sessionID === session) return reported;
    session = event.sessionID;
    return { ...reported, session };
  };
}

function toolText({ tool, state = {} }: OpencodePart): string {
  const { status, input, output, error, metadata } = state;
  const exit = metadata?.exit;
  return [
    `> ${tool} ${JSON.stringify(input)}`,
    status === "error" ? `[the tool failed] ${error ?? ""}` : output?.trimEnd(),
    typeof exit === "number" ? `[exit code ${exit}]` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

function failureReport({ name, data = {} }: OpencodeError): OutputReport {
  const { statusCode: status, ref } = data;
  const message = data.message ?? name ?? "an error";
  if (status === 401 || status === 403) {
    const failure = `The model rejected the key: HTTP ${status} (${message})`;
    return { text: failure, failure, isFatal: true };
  }
  // The program keeps such a reason to its log, which it writes to standard error.
  const hint = ref === undefined ? "" : ` Search for ${ref} in the log in the transcript.`;
  const failure =
    status === undefined ? `${message}${hint}` : `The model returned HTTP ${status} (${message})`;
  return { text: failure, failure };
}

function usageOf({ tokens = {}, cost }: OpencodePart): ModelUsage {
  const cached = numberOf(tokens.cache?.read);
  return {
    model: null,
    inputTokens: numberOf(tokens.input) + cached + numberOf(tokens.cache?.write),
    outputTokens: numberOf(tokens.output) + numberOf(tokens.reasoning),
    cachedTokens: cached,
    // Of a model that has no price there it says 0.
    costUsd: numberOf(cost) || null,
  };
}

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
function opencodeEvents(): (event: OpencodeWork) => HarnessEvent[] {
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

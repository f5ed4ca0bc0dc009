import { type ModelUsage, numberOf } from "../output/model-usage.ts";
import { type HarnessEvent, parseEvent, textOf, toolCall, toolResult, withText } from "./harness-event.ts";
import type { LineReader, OutputReport } from "./output-reader.ts";

/** One event of `gemini --output-format stream-json`. */
interface GeminiEvent {
  type?: string;
  session_id?: string;
  role?: string;
  content?: string;
  tool_id?: string;
  tool_name?: string;
  parameters?: unknown;
  status?: string;
  output?: string;
  severity?: string;
  message?: string;
  error?: { message?: string };
  stats?: { total_tokens?: number; duration_ms?: number; models?: Record<string, GeminiStats> };
}

/** The tool that executes a command. */
const SHELL = "run_shell_command";
/** Calls under way; a program that begins without end is not remembered without end. */
const MAX_CALLS = 1_000;
/**
 * All that it says of a command that failed and wrote nothing: to the program, this call of a tool has succeeded. Of a command that
 * wrote something, it shows that alone.
 */
const EXIT_CODE = /^Command exited with code: (\d+)$/;
const FAILED = /^Command (?:terminated by signal|failed): /;

interface GeminiStats {
  total_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  cached?: number;
}

/** What the API says of a request that it has refused. */
interface ApiError {
  code?: number;
  message?: string;
  status?: string;
  details?: { reason?: string }[];
}

/** Reads what gemini writes in one turn. */
export function geminiReader(): LineReader {
  /** What is said comes in pieces: a line is shown when it is whole. */
  let begun = "";
  /** What was said since the last tool call. */
  let answer = "";
  let failure = "";

  function say(piece: string): OutputReport {
    answer += piece;
    begun += piece;
    const end = begun.lastIndexOf("\n");
    if (end < 0) return {};
    const text = begun.slice(0, end);
    begun = begun.slice(end + 1);
    return { text };
  }

  /** A report behind what was said before it. */
  function after({ text = "", ...report }: OutputReport): OutputReport {
    const said = begun;
    begun = "";
    return { ...report, text: [said, text].filter(Boolean).join("\n") };
  }

  const eventsOf = geminiEvents();
  const commands = new Set<unknown>();

  /** An event with what became of a command, as the other programs tell it. */
  function withExitCode(event: GeminiEvent): GeminiEvent {
    const { type, tool_name: name, tool_id: id, output = "" } = event;
    if (type === "tool_use" && name === SHELL && commands.size < MAX_CALLS) commands.add(id);
    if (type !== "tool_result" || !commands.delete(id)) return event;
    const code = EXIT_CODE.exec(output)?.[1];
    if (code !== undefined) return { ...event, status: "error", output: `[exit code ${code}]` };
    return FAILED.test(output) ? { ...event, status: "error" } : event;
  }

  function report(event: GeminiEvent): OutputReport {
    switch (event.type) {
      case "init":
        return event.session_id ? { session: event.session_id } : {};
      case "message":
        return event.role === "assistant" ? say(event.content ?? "") : {};
      case "tool_use":
        answer = "";
        return after({ text: `> ${event.tool_name} ${JSON.stringify(event.parameters)}` });
      case "tool_result":
        return after({ text: toolResultText(event) });
      case "error":
        if (event.severity !== "error") return after({ text: `[warning] ${event.message ?? ""}` });
        failure = event.message ?? "an error";
        return after({ text: failure, failure });
      case "result":
        return after(
          event.status === "success" ? successReport(event, answer) : failureReport(event, failure),
        );
      default:
        return {};
    }
  }

  return (line) => {
    const written = parseEvent<GeminiEvent>(line);
    if (!written) return undefined;
    const event = withExitCode(written);
    return { ...report(event), events: eventsOf(event) };
  };
}

function toolResultText({ status, output = "", error }: GeminiEvent): string {
  if (/^\[exit code \d+\]$/.test(output)) return output;
  return status === "error" ? `[the tool failed] ${error?.message ?? output}` : output;
}

function successReport(event: GeminiEvent, answer: string): OutputReport {
  return { failure: "", ...(answer === "" ? {} : { answer }), ...usageReport(event) };
}

function failureReport(event: GeminiEvent, before: string): OutputReport {
  const usage = usageReport(event);
  const message = event.error?.message;
  if (message === undefined) return { failure: before || "an error", ...usage };
  const refusal = apiError(message);
  if (!refusal) return { text: message, failure: message, ...usage };
  const { code, status, message: said = "an error" } = refusal;
  const what = `HTTP ${code}${status ? ` (${status})` : ""}: ${said}`;
  if (isOfKey(refusal)) {
    const reason = `The model rejected the key: ${what}`;
    return { text: reason, failure: reason, isFatal: true, ...usage };
  }
  const reason = `The model returned ${what}`;
  return { text: reason, failure: reason, ...usage };
}

/** The answer of the API, which the program quotes whole. */
function apiError(message: string): ApiError | undefined {
  const quoted = /^\[API Error: (\{.*\})\]$/s.exec(message)?.[1];
  return quoted === undefined ? undefined : parseEvent<{ error?: ApiError }>(quoted)?.error;
}

/** A key that is none is a bad request to this API. */
function isOfKey({ code, details = [] }: ApiError): boolean {
  const reasons = Array.isArray(details) ? details.map(({ reason }) => reason) : [];
  return code === 401 || code === 403 || reasons.includes("API_KEY_INVALID");
}

function usageReport({ stats }: GeminiEvent): Pick<OutputReport, "usage"> {
  const usage = Object.entries(stats?.models ?? {})
    .filter(([, { total_tokens: total }]) => numberOf(total) > 0)
    .map(([model, own]) => usageOf(model, own));
  return usage.length === 0 ? {} : { usage };
}

function usageOf(
  model: string,
  { total_tokens, input_tokens, output_tokens, cached }: GeminiStats,
): ModelUsage {
  const input = numberOf(input_tokens);
  return {
    model,
    inputTokens: input,
    // What it has thought is in the total alone.
    outputTokens: Math.max(numberOf(output_tokens), numberOf(total_tokens) - input),
    cachedTokens: numberOf(cached),
    costUsd: null,
  };
}

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
function geminiEvents(): (event: GeminiWork) => HarnessEvent[] {
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

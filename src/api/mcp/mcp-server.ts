import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  ProgressToken,
  ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { checkInput, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

interface McpServerOptions {
  tools: readonly Tool[];
  context: ToolContext;
  /** What is asked, for the form of the answer. */
  message: unknown;
  /** Whether it goes on with a call whose connection was cut. */
  isResumed: boolean;
  log: Log;
}

/** Answers one message of the protocol. */
interface McpServer {
  handle(head: Request, message: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** A server of the SDK for one request. The SDK is loaded when it is first needed: most starts of the program never are. */
export async function createMcpServer({
  tools,
  context,
  message,
  isResumed,
  log,
}: McpServerOptions): Promise<McpServer> {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const server = new Server({ name: "millrace", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => listTools(tools, context));
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params }, call) => {
    return reportProgress(call, () => callTool(params, { tools, context, isResumed, log }));
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isHeld(message, tools),
  });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return {
    handle: (head, parsedBody) => transport.handleRequest(head, { parsedBody }),
    close: () => server.close(),
  };
}

/** A call that may stay open for long is answered as a stream, which its keep-alives hold open. */
export function isHeld(message: unknown, tools: readonly Tool[]): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  return method === "tools/call" && tools.some(({ name, holds }) => holds && name === params?.name);
}

const has = ({ caller }: ToolContext, tool: Tool) => tool.refusal?.(caller) === undefined;

function listTools(tools: readonly Tool[], context: ToolContext): ListToolsResult {
  const offered = tools.filter((tool) => has(context, tool));
  return {
    tools: offered.map(({ name, title, description, input, onlyReads = false }) => {
      return {
        name,
        title,
        description,
        inputSchema: input as unknown as ListToolsResult["tools"][number]["inputSchema"],
        annotations: { title, readOnlyHint: onlyReads, openWorldHint: false },
      };
    }),
  };
}

/** Whatever fails is a result that the model can read: it may do better with what it has learned. */
async function callTool(
  { name, arguments: given = {} }: CallToolRequest["params"],
  { tools, context, isResumed, log }: Omit<McpServerOptions, "message">,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw unknownTool(name, tools, context);
    const refusal = tool.refusal?.(context.caller);
    if (refusal !== undefined) throw unavailable(name, refusal);
    const input = checkInput(tool, given);
    return resultOf(await (isResumed && tool.resume ? tool.resume : tool.call)(input, context));
  } catch (error) {
    if (error instanceof MillraceError) return failureOf(error);
    const traceId = newUuid();
    log.error({ trace_id: traceId, tool: name, error: errorMessage(error) }, "a call of a tool failed");
    return unforeseen(traceId);
  }
}

function unknownTool(name: string, tools: readonly Tool[], context: ToolContext): MillraceError {
  const known = tools.filter((tool) => has(context, tool)).map((tool) => tool.name);
  const asked = JSON.stringify(name.slice(0, 100));
  return new MillraceError("resource_not_found", `There is no tool ${asked}.`, {
    remedy: `The tools are ${known.join(", ")}.`,
  });
}

function unavailable(name: string, why: string): MillraceError {
  return new MillraceError("not_authorized", `The tool ${name} is not available here.`, { remedy: why });
}

/** The shortest limit that is known of a program is 30 s, and each notification begins it anew. */
const EVERY_MS = 15_000;

/** The part of a call that its client wants to hear about: the SDK hands it over with the arguments. */
interface OpenCall {
  _meta?: { progressToken?: ProgressToken | undefined } | undefined;
  signal: AbortSignal;
  sendNotification(notification: ServerNotification): Promise<void>;
}

/**
 * Sends `notifications/progress` for as long as a call is held open, if its client has asked for that. Clients with a time
 * limit of their own wait on then.
 */
export async function reportProgress<Result>(
  { _meta, signal, sendNotification }: OpenCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: "Still waiting." };
    // A client that has left is noticed where its answer is sent.
    sendNotification({ method: "notifications/progress", params }).catch(stop);
  }, EVERY_MS);
  const stop = () => clearInterval(timer);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await work();
  } finally {
    stop();
  }
}

/** What a model reads costs tokens, and all of it stays in its conversation. */
const MAX_RESULT_CHARACTERS = 100 * 1024;

/**
 * The answer of a tool as the protocol has it. Where there is data, claude and codex show their models nothing else, so it
 * contains the words. Data that is too large is left out: the words have what matters.
 */
function resultOf({ text, data }: ToolAnswer): CallToolResult {
  const isSmall = data !== undefined && JSON.stringify(data).length <= MAX_RESULT_CHARACTERS;
  return {
    content: [{ type: "text", text: bounded(text) }],
    ...(isSmall ? { structuredContent: { text: bounded(text), ...data } } : {}),
  };
}

/** A failure as a result that the model reads: what happened, and what to do. */
function failureOf(error: MillraceError): CallToolResult {
  const { message, remedy, code } = error;
  const text = [message, remedy].filter(Boolean).join(" ");
  return {
    content: [{ type: "text", text: bounded(text) }],
    structuredContent: { error: { code, message, ...(remedy === undefined ? {} : { remedy }) } },
    isError: true,
  };
}

/** A failure that nobody foresaw; its own words are for the log. */
function unforeseen(traceId: string): CallToolResult {
  return failureOf(
    new MillraceError("internal_error", `The server failed (trace ${traceId}).`, {
      remedy: "Retry; if it fails again, tell a person.",
    }),
  );
}

function bounded(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const left = text.length - MAX_RESULT_CHARACTERS;
  return `${text.slice(0, MAX_RESULT_CHARACTERS)}\n… (${left} more characters were left out)`;
}

/** Clients before this version of the protocol take an event without data for a broken one. */
const FIRST_VERSION = "2025-11-25";
/** After how long a client whose stream was cut asks again. Clients do so twice: a server may take that long to be back. */
const RETRY_MS = 5_000;
/** Far more than any call of a tool that can be resumed. */
const MAX_CURSOR = 8 * 1024;

/** A call of a tool, as a request of the protocol. */
interface ToolCall {
  jsonrpc: "2.0";
  id: string | number;
  method: "tools/call";
  params: { name: string; arguments: Record<string, unknown> };
}

/**
 * The event with which the stream of a held call begins, so that its client asks for the rest when the stream is cut: the server
 * may have been started again while an agent on a worker went on. All that the server has to know then is in the event's id.
 * @returns nothing for a call that cannot be resumed, or a client that cannot resume one
 */
export function firstEvent(
  message: unknown,
  tools: readonly Tool[],
  protocolVersion: unknown,
): string | undefined {
  if (typeof protocolVersion !== "string" || protocolVersion < FIRST_VERSION) return undefined;
  const { id, params } = message as Partial<ToolCall>;
  const isResumable = tools.some(({ name, resume }) => resume && name === params?.name);
  if (!isResumable || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const cursor = Buffer.from(JSON.stringify([id, params?.name, params?.arguments ?? {}])).toString(
    "base64url",
  );
  if (cursor.length > MAX_CURSOR) return undefined;
  return `id: ${cursor}\nretry: ${RETRY_MS}\ndata: \n\n`;
}

/**
 * The call that a client wants the rest of. Whoever shows the cursor may call the tool in any case, so it needs no proof.
 * @throws MillraceError `invalid_request` for a cursor that is none of this server
 */
export function resumedCall(cursor: string, tools: readonly Tool[]): ToolCall {
  const [id, name, given] = parsed(cursor);
  const isCall = (typeof id === "string" || typeof id === "number") && isObject(given);
  const tool = tools.find((each) => each.resume && each.name === name);
  if (isCall && tool)
    return { jsonrpc: "2.0", id, method: "tools/call", params: { name: tool.name, arguments: given } };
  throw new MillraceError("invalid_request", "The header Last-Event-ID names no call that can be resumed.", {
    remedy: "Call the tool again.",
  });
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor.slice(0, MAX_CURSOR), "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

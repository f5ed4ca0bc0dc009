import type { CallToolRequest, CallToolResult, ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { reportProgress } from "./report-progress.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { checkInput } from "./tool-input.ts";
import { failureOf, resultOf, unforeseen } from "./tool-result.ts";

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

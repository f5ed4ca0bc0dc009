import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What an agent's program has asked of the model. */
export interface AskedModel {
  path: string;
  /** The key that it showed. */
  key: string | undefined;
  model: string;
  // biome-ignore lint/suspicious/noExplicitAny: three APIs, each with its own shape
  body: any;
}

/** What the model says to a request: words, or a call of a tool whose plain name ends so. */
type Said = { text: string } | { tool: string; input: object };

/** What the model says that each of its answers took, in tokens: those of the input that were in a cache are part of it. */
export const TOOK = { input: 101, cached: 11, output: 21 };

/** Or it refuses the key, or says nothing for as long as somebody waits. */
export type ModelAnswer = Said | "refused" | "silence";

/**
 * A model on loopback that speaks the three APIs of the agents' programs, as streams, and answers by a script.
 */
export async function scriptedModel(answer: (asked: AskedModel) => ModelAnswer) {
  const asked: AskedModel[] = [];
  /** Of whoever got silence: for whom it was not answered before they went. */
  const left: AskedModel[] = [];
  const server = createServer(async (request, response) => {
    const body = await jsonOf(request);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (request.method !== "POST" || !API.test(path)) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const bearer = request.headers.authorization?.replace(/^Bearer /, "");
    const key = (request.headers["x-api-key"] ?? request.headers["x-goog-api-key"])?.toString() ?? bearer;
    const one = { path, key, model: body.model ?? /models\/([^:]*):/.exec(path)?.[1], body };
    asked.push(one);
    const said = answer(one);
    if (said === "silence") response.on("close", () => left.push(one));
    else if (said === "refused") refuse(response);
    else senderTo(path)(response, one, said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, left };
}

/** The ends of the paths of the APIs. */
const API = /\/messages$|\/responses$|[gG]enerateContent$/;

function senderTo(path: string) {
  if (path.endsWith("/messages")) return sendMessage;
  return path.endsWith("/responses") ? sendResponse : sendContent;
}

/** As each of the APIs says it. */
function refuse(response: ServerResponse): void {
  const error = {
    type: "authentication_error",
    code: 401,
    status: "UNAUTHENTICATED",
    message: "no such key",
  };
  response.writeHead(401, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error }));
}

async function jsonOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return {};
  }
}

/** Programs keep the parts of a conversation by their ids. */
let ids = 0;
function newId(kind: string): string {
  ids += 1;
  return `${kind}_${ids}`;
}

type ModelEvent = { type: string } & Record<string, unknown>;

function stream(response: ServerResponse, events: readonly ModelEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** A tool that a program offers. Those of a server can stand in a namespace of their own. */
interface OfferedTool {
  name?: string;
  tools?: OfferedTool[];
  functionDeclarations?: OfferedTool[];
}

interface ToolName {
  name: string;
  namespace?: string | undefined;
}

/** The names of the tools that a program offers its model. */
export function toolsOf({ body }: AskedModel): ToolName[] {
  return (body.tools ?? []).flatMap(({ name, tools, functionDeclarations = [] }: OfferedTool) => {
    if (tools) return tools.map((inner) => ({ name: inner.name, namespace: name }));
    return name === undefined ? functionDeclarations : [{ name }];
  });
}

/** The name of a tool as `SERVER_TOOL`: programs put the name of its server before it in ways of their own. */
export const plainName = ({ name, namespace = "" }: ToolName): string =>
  `${namespace}_${name}`.replace(/_+/g, "_");

/** What a program calls the tool whose plain name ends so. */
function toolNamed(asked: AskedModel, end: string): ToolName {
  return toolsOf(asked).find((tool) => plainName(tool).endsWith(end)) ?? { name: end };
}

/** An answer of Anthropic's Messages API. */
function sendMessage(response: ServerResponse, asked: AskedModel, answer: Said): void {
  const { model } = asked;
  const isTool = "tool" in answer;
  const block = isTool
    ? { type: "tool_use", id: newId("toolu"), name: toolNamed(asked, answer.tool).name, input: {} }
    : { type: "text", text: "" };
  const delta = isTool
    ? { type: "input_json_delta", partial_json: JSON.stringify(answer.input) }
    : { type: "text_delta", text: answer.text };
  const usage = {
    // What was in a cache is told apart from the rest of the input.
    input_tokens: TOOK.input - TOOK.cached,
    cache_read_input_tokens: TOOK.cached,
    cache_creation_input_tokens: 0,
    output_tokens: TOOK.output,
  };
  const message = {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  stream(response, [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isTool ? "tool_use" : "end_turn", stop_sequence: null },
      usage,
    },
    { type: "message_stop" },
  ]);
}

/** An answer of OpenAI's Responses API. */
function sendResponse(response: ServerResponse, asked: AskedModel, answer: Said): void {
  const { model } = asked;
  const item =
    "tool" in answer
      ? {
          ...toolNamed(asked, answer.tool),
          id: newId("fc"),
          call_id: newId("call"),
          arguments: JSON.stringify(answer.input),
          type: "function_call",
          status: "completed",
        }
      : {
          type: "message",
          id: newId("msg"),
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: answer.text, annotations: [] }],
        };
  const usage = {
    input_tokens: TOOK.input,
    input_tokens_details: { cached_tokens: TOOK.cached },
    output_tokens: TOOK.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TOOK.input + TOOK.output,
  };
  const base = { id: newId("resp"), object: "response", model, output: [] as object[], usage };
  stream(response, [
    { type: "response.created", response: { ...base, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...base, status: "completed", output: [item] } },
  ]);
}

/** An answer of Google's Gemini API. */
function sendContent(response: ServerResponse, asked: AskedModel, answer: Said): void {
  const { path, model } = asked;
  const part =
    "tool" in answer
      ? { functionCall: { name: toolNamed(asked, answer.tool).name, args: answer.input } }
      : { text: answer.text };
  const chunk = JSON.stringify({
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: TOOK.input,
      cachedContentTokenCount: TOOK.cached,
      candidatesTokenCount: TOOK.output,
      totalTokenCount: TOOK.input + TOOK.output,
    },
    modelVersion: model,
  });
  const isStream = path.endsWith(":streamGenerateContent");
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.end(isStream ? `data: ${chunk}\n\n` : chunk);
}

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Request, Response, Router } from "express";
import { deferred } from "../../concurrency/promises.ts";
import { whenLeft } from "../../edge/when-left.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { LiveQuestions } from "../../runs/agents/live-questions.ts";
import { authenticateRecorded, type EndedTokenDeps } from "../admin/audited.ts";
import { noKey } from "../http/authorize.ts";
import type { OpenCalls } from "../http/open-calls.ts";
import type { ReadJsonBody } from "../http/read-json-body.ts";
import { refuseMethod, sendStream } from "../http/respond.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { operationCaller } from "./call-operation.ts";
import { FACTORY_TOOLS } from "./factory-tools/factory-tools.ts";
import { createMcpServer, firstEvent, isHeld, resumedCall } from "./mcp-server.ts";
import type { Tool } from "./tool.ts";
import { AGENT_TOOLS } from "./tools/agent-tools.ts";

export interface McpDeps extends EndedTokenDeps {
  openCalls: OpenCalls;
  readBody: ReadJsonBody;
  questions: LiveQuestions;
  log: Log;
}

/** A file of an artifact in base64, and more than any prompt. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Schemas walk each of them several times, before it is known what is called. Files are one value. */
const MAX_VALUES = 10_000;

/**
 * `POST /mcp` and `POST /mcp/factory`: the Model Context Protocol over Streamable HTTP, without sessions. Each request stands for itself, so a server
 * that has been restarted goes on with it. `GET` with `Last-Event-ID` asks for the rest of a call that was held open when its
 * connection was cut.
 */
export function mcpRoutes(router: Router, calls: OperationCalls, deps: McpDeps): void {
  const surfaces: [path: string, tools: readonly Tool[]][] = [
    ["/mcp", AGENT_TOOLS],
    ["/mcp/factory", FACTORY_TOOLS],
  ];
  for (const [path, tools] of surfaces) {
    router
      .route(path)
      .post((request, response) => answer(request, response, tools, calls, deps))
      .get((request, response, next) => {
        if (request.headers["last-event-id"] === undefined) return next();
        return answer(request, response, tools, calls, deps);
      })
      .all(refuseMethod(["POST"]));
  }
}

async function answer(
  request: Request,
  response: Response,
  tools: readonly Tool[],
  calls: OperationCalls,
  deps: McpDeps,
): Promise<void> {
  refuseForeignPages(request, deps.publicUrl());
  // A session's cookie is sent by a browser whether its person wants that or not.
  if (request.headers.authorization === undefined) throw deps.authLimit.refusal(request, noKey());
  const caller = await authenticateRecorded(request, response, "mcp", deps);
  deps.openCalls.open(caller, response);
  const cursor = request.method === "GET" ? request.get("last-event-id") : undefined;
  const message =
    cursor === undefined
      ? await deps.readBody(request, MAX_BODY_BYTES, MAX_VALUES)
      : resumedCall(cursor, tools);
  if (Array.isArray(message)) throw noBatches();
  // Whoever asks for the rest of such a call does so over another connection.
  if (isHeld(message, tools)) whenLeft(request, response, () => response.destroy());
  const sent = deferred<boolean>();
  const context = {
    caller,
    questions: deps.questions,
    publicUrl: deps.publicUrl(),
    sent: sent.promise,
    ...operationCaller(calls, { caller, request, response }),
  };
  const isResumed = cursor !== undefined;
  const server = await createMcpServer({ tools, context, message, isResumed, log: deps.log });
  try {
    const first = firstEvent(message, tools, request.headers["mcp-protocol-version"]);
    await send(await server.handle(webRequest(request), message), first, response);
  } finally {
    sent.resolve(response.writableFinished);
    await server.close().catch((error) => deps.log.warn({ error: errorMessage(error) }, "MCP did not close"));
  }
}

/**
 * A page that has its own name lead to this server (DNS rebinding) is told by the name that it came under: only pages under
 * the public URL may come.
 */
function refuseForeignPages({ headers: { origin } }: Request, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new MillraceError("not_authorized", "Pages of other origins cannot use this server's tools.", {
    remedy:
      "Programs leave the header Origin out. Behind a proxy, set MILLRACE_PUBLIC_URL to the URL that people use.",
  });
}

function noBatches(): MillraceError {
  return new MillraceError(
    "invalid_request",
    "The request is a batch of messages, which MCP no longer has.",
    {
      remedy: "Send each message in a request of its own.",
    },
  );
}

/** The head of a request, as the SDK reads it. */
function webRequest(request: Request): globalThis.Request {
  // Those of a request that asks for the rest of an answer.
  const headers = new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  const own = request.method === "GET" ? [] : ["accept", "content-type"];
  for (const name of [...own, "mcp-protocol-version", "mcp-session-id"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new globalThis.Request("http://localhost/mcp", { method: "POST", headers });
}

/**
 * Sends what the SDK answers with. A client that leaves ends the stream.
 * @param first what a stream of events begins with
 */
async function send(
  answered: globalThis.Response,
  first: string | undefined,
  response: Response,
): Promise<void> {
  response.status(answered.status);
  for (const [name, value] of answered.headers) {
    // The API's own says that nothing is kept at all.
    if (name !== "cache-control" && name !== "connection") response.setHeader(name, value);
  }
  if (answered.body === null) response.end();
  else {
    response.flushHeaders();
    if (first !== undefined && answered.headers.get("content-type") === "text/event-stream")
      response.write(first);
    await sendStream(Readable.fromWeb(answered.body as ReadableStream), response);
  }
}

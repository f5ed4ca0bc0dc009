import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onFinished } from "./cleanup.ts";

/** One answer of a script: what is sent, or what is done with the connection. */
export type Step =
  | { status?: number; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse, request: IncomingMessage) => void);

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A web server that answers one request after the other as it is told; the last answer is for all further ones. */
export async function scriptedServer(
  ...steps: Step[]
): Promise<{ url: string; received: Received[]; opened: () => number }> {
  const received: Received[] = [];
  let open = 0;
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const step = steps[Math.min(received.length, steps.length - 1)] ?? {};
    received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    if (typeof step === "function") step(response, request);
    else
      response
        .writeHead(step.status ?? 200, { "content-type": "application/json", ...step.headers })
        .end(step.body);
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, opened: () => open };
}

/** An answer with JSON. */
export function ok(value: unknown): Step {
  return { body: JSON.stringify(value) };
}

/** An error answer; the next attempt comes at once, if there is one. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Step {
  const type = `http://127.0.0.1/errors/${code}`;
  const body = JSON.stringify({ type, title: "No", status, error: "No", detail: "No.", trace_id: "t1" });
  return {
    status,
    headers: { "content-type": "application/problem+json", "retry-after": "0.001", ...headers },
    body,
  };
}

/** Ends the connection without an answer. */
export const reset: Step = (response) => response.socket?.resetAndDestroy();

/** Takes a request and says nothing. */
export const silence: Step = () => {};

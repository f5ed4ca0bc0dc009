import { once } from "node:events";
import { API_HEADER, API_VERSION } from "./api-header.ts";
import type { ApiRequest } from "./endpoint.ts";

/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

/** One Server-Sent Event. A reader that comes back names the last id that it has seen. */
export interface StreamEvent {
  id?: number;
  event: string;
  data: object;
}

export interface EventStream {
  /** Aborts when the reader leaves. */
  closed: AbortSignal;
  /** Resolves when the reader has taken it, so that what a slow one has not read stays in the store. */
  send(event: StreamEvent): Promise<void>;
  end(): void;
}

/** Answers a request with Server-Sent Events. */
export function openEventStream({ response }: ApiRequest["http"]): EventStream {
  const closed = new AbortController();
  const write = async (text: string) => {
    if (response.write(text) || closed.signal.aborted) return;
    await once(response, "drain", { signal: closed.signal }).catch(() => {});
  };
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    [API_HEADER]: API_VERSION,
  });
  // What has been sent so far may be nothing: the reader is told at once that it is connected.
  response.write(": connected\n\n");
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": waiting\n\n");
  }, HEARTBEAT_MS);
  response.on("close", () => {
    clearInterval(heartbeat);
    closed.abort();
  });
  return {
    closed: closed.signal,
    send: ({ id, event, data }) =>
      write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
}

/** Where a reader goes on that has been here before; nothing for a new one. */
export function lastEventId({ request }: ApiRequest["http"]): number | undefined {
  const header = request.headers["last-event-id"];
  const id = header === undefined ? Number.NaN : Number(header);
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

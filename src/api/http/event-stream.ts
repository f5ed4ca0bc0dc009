import { once } from "node:events";
import { whenLeft } from "../../edge/when-left.ts";
import type { ApiRequest } from "./endpoint.ts";
import { API_HEADER, API_VERSION } from "./headers.ts";

/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
const LOOK_AT_KEY_EVERY_MS = 1_000;

/** One Server-Sent Event. A reader that comes back names the last id that it has seen. */
export interface StreamEvent {
  id?: number | string;
  event: string;
  data: object;
}

export interface EventStream {
  /** Aborts when the reader leaves. */
  closed: AbortSignal;
  /** Tells the reader where it is, without an event. */
  mark(id: number | string): Promise<void>;
  /** Resolves when the reader has taken it, so that what a slow one has not read stays in the store. */
  send(event: StreamEvent): Promise<void>;
  end(): void;
}

/** Answers a request with Server-Sent Events. */
export function openEventStream({ request, response, isAdmitted }: ApiRequest["http"]): EventStream {
  const closed = new AbortController();
  const write = async (text: string) => {
    if (closed.signal.aborted || response.write(text)) return;
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
  // A key that is revoked or expires ends what it has opened.
  const admission = setInterval(async () => {
    if (closed.signal.aborted || (await isAdmitted().catch(() => true))) return;
    closed.abort();
    response.end();
  }, LOOK_AT_KEY_EVERY_MS);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": waiting\n\n");
  }, HEARTBEAT_MS);
  const leave = () => {
    clearInterval(heartbeat);
    clearInterval(admission);
    closed.abort();
  };
  const end = () => {
    leave();
    response.end();
  };
  whenLeft(request, response, end);
  // To a HEAD request nothing can be sent.
  if (request.method === "HEAD") end();
  return {
    closed: closed.signal,
    mark: (id) => write(`id: ${id}\n\n`),
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

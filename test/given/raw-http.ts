import { get, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onFinished } from "./cleanup.ts";
import { waitFor } from "./server.ts";

/** What came back over one connection, until the other side closed it or fell silent. */
export interface RawAnswer {
  text: string;
  /** The status of each answer, in order. */
  statuses: number[];
  closed: boolean;
  reset: boolean;
}

/**
 * Sends bytes as they are over a connection of their own, with pauses where a number stands.
 * @param answers as many are waited for; without it, whatever comes until there was nothing for `waitMs`
 * @param readsAfterMs reads nothing until so long after it has begun to send everything, as a proxy does that is busy sending
 */
export async function sendRaw(
  url: string,
  pieces: readonly (string | Buffer | number)[],
  {
    answers,
    waitMs = answers === undefined ? 2_000 : 15_000,
    readsAfterMs,
  }: { answers?: number; waitMs?: number; readsAfterMs?: number } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  // Half open: a server that closes while this side still writes is to be noticed as a reset, not avoided.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const answer: RawAnswer = { text: "", statuses: [], closed: false, reset: false };
  const done = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      answer.text += chunk.toString("latin1");
      // The last answer is whole when its body, which all of these have, has come with it.
      if (statusesIn(answer.text).length === answers && answer.text.endsWith("}")) resolve();
    });
    socket.setTimeout(waitMs, () => resolve());
    const onClosed = () => {
      answer.closed = true;
      resolve();
    };
    socket.on("end", onClosed);
    socket.on("close", onClosed);
    socket.on("error", (error) => {
      answer.reset = "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
    });
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  if (readsAfterMs !== undefined) socket.pause();
  for (const piece of pieces) {
    if (typeof piece === "number") await new Promise((resolve) => setTimeout(resolve, piece));
    else if (socket.writable) socket.write(piece);
  }
  if (readsAfterMs !== undefined) setTimeout(() => socket.resume(), readsAfterMs);
  await done;
  socket.destroy();
  answer.statuses = statusesIn(answer.text);
  return answer;
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** A request as text. */
export function rawPost(url: string, headers: Record<string, string>, body = ""): string {
  const { pathname, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/**
 * Has the only place that a server has for bodies taken by one that is not sent to its end.
 * @param send asks for an answer, which is 503 for as long as that place is taken
 * @returns the first answer after it is free again
 */
export async function answerAfterAborted(
  url: string,
  headers: Record<string, string>,
  send: () => Promise<number>,
): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(rawPost(url, { ...headers, "content-length": "10" }, '{"n"'));
  await waitFor(async () => (await send()) === 503 || undefined);
  socket.destroy();
  return waitFor(async () => {
    const status = await send();
    return status === 503 ? undefined : status;
  });
}

/** An answer as it came over the wire: not decoded. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Asks for a path as it is written, with these headers. */
export function rawRequest(url: string, headers: Record<string, string>): Promise<RawResponse> {
  const { origin, port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path: url.slice(origin.length), headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    }).on("error", reject);
  });
}

/** A forge that takes connections and says nothing, until it hangs up. */
export async function silentHost() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hangUp = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  onFinished(hangUp);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connections: () => open.size, hangUp };
}

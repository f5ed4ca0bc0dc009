import { request as ask, type IncomingMessage } from "node:http";
import { request as askSecurely } from "node:https";
import { Readable } from "node:stream";
import { ConnectionError } from "../client/errors.ts";
import type { Outgoing } from "../client/options.ts";

/**
 * Sends a request without `fetch`: what Node loads for that, with its classes for requests and responses, takes longer than a
 * whole command.
 */
export async function overHttp(request: Outgoing): Promise<Response> {
  const message = await open(request);
  const { statusCode = 0, headers } = message;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    message.destroy();
    return fetch(asRequest(request));
  }
  return new HttpAnswer(message) as unknown as Response;
}

/** The request in the form of the platform, for those who need `fetch` after all. */
export function asRequest({ url, body, ...rest }: Outgoing): Request {
  return new Request(url, { ...rest, ...(body === undefined ? {} : { body }) });
}

function open({ method, url, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
  const send = /^https:/i.test(url) ? askSecurely : ask;
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, signal }, resolve);
    sent.on("error", (error) => {
      if (signal.aborted) reject(signal.reason);
      else reject(error.message === HUNG_UP ? new Error("the server closed the connection") : error);
    });
    sent.end(body);
  });
}

/** How Node says that a connection was closed before the answer came. */
const HUNG_UP = "socket hang up";

/** As much of a `Response` as the client and the commands use. Its bytes can be read again once they were read as a whole. */
class HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly bodyUsed = false;
  readonly headers: Pick<Headers, "get" | "has">;
  readonly #message: IncomingMessage;
  #bytes: Promise<Buffer> | undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.status = message.statusCode ?? 0;
    this.ok = this.status >= 200 && this.status < 300;
    const find = (name: string) => {
      const value = message.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    this.headers = { get: (name) => find(name) ?? null, has: (name) => find(name) !== undefined };
  }

  get body(): unknown {
    if (this.#bytes === undefined) return Readable.toWeb(this.#message);
    return bodyOf(this.#bytes);
  }

  async arrayBuffer(): Promise<ArrayBufferLike> {
    const { buffer, byteOffset, byteLength } = await this.#read();
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#read());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  #read(): Promise<Buffer> {
    this.#bytes ??= collect(this.#message);
    return this.#bytes;
  }
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A stream of bytes that are there already. */
function bodyOf(bytes: Promise<Buffer>) {
  const chunks = async function* () {
    const all = await bytes;
    if (all.length > 0) yield all;
  };
  return {
    [Symbol.asyncIterator]: chunks,
    getReader() {
      const reading = chunks();
      return { read: () => reading.next(), cancel: async () => {} };
    },
    async cancel() {},
  };
}

/** Nothing of ours answered: the server is not there, is silent, or is another program. Who waits is told at once. */
export class NoAnswer extends ConnectionError {
  override readonly name = "NoAnswer";
  readonly title: string;
  readonly remedy: string;

  constructor(title: string, message: string, remedy: string, retryable = false) {
    super(message, { retryable });
    this.title = title;
    this.remedy = remedy;
  }
}

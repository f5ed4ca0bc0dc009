import { connect } from "node:net";
import OzAPI, { type ClientOptions } from "oz-agent-sdk";
import { whyNotConforming } from "./conformance.ts";
import { ADMIN_KEY, type Server } from "./server.ts";

/** An answer as its bytes say. */
export interface PythonAnswer {
  status: number;
  contentType: string | null;
  /** The body as text; the Python client hands on that of a cancel as it is. */
  text: string;
}

/** What its version 0.11.0 tells of itself. */
const CLIENT_HEADERS = [
  "User-Agent: OzAPI/Python 0.11.0",
  "X-Stainless-Lang: python",
  "X-Stainless-Package-Version: 0.11.0",
  "X-Stainless-OS: Linux",
  "X-Stainless-Arch: x64",
  "X-Stainless-Runtime: CPython",
  "X-Stainless-Runtime-Version: 3.12.3",
  "X-Stainless-Async: false",
  "x-stainless-retry-count: 0",
  "x-stainless-read-timeout: 60",
];

/**
 * A request in the bytes that the public API's Python client sends by httpx (contract, 3): a media type on every POST,
 * with a body or without, and none on a GET.
 * @param target the path below the API's prefix with its query, encoded
 */
export async function askAsPython(
  server: Server,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  target: string,
  body?: object,
): Promise<PythonAnswer> {
  const { host } = new URL(server.url);
  const path = `/api/v1${target}`;
  // Python writes JSON without spaces, and does not escape what is beyond ASCII.
  const content = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const length = `Content-Length: ${content.length}`;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    // Of an empty body the length stands here, of another at the end.
    ...(method !== "GET" && method !== "DELETE" && body === undefined ? [length] : []),
    "Accept-Encoding: gzip, deflate",
    "Connection: keep-alive",
    `Authorization: Bearer ${ADMIN_KEY}`,
    "Accept: application/json",
    ...(method === "GET" ? [] : ["Content-Type: application/json"]),
    ...CLIENT_HEADERS,
    ...(body === undefined ? [] : [length]),
  ];
  const request = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
  const answer = parseAnswer(await exchange(server.url, request));
  const why = whyNotConforming(method, path, answer);
  if (why !== undefined) throw new Error(`${method} ${path} answered ${answer.status}: ${why}`);
  return answer;
}

/** Sends bytes and reads the one answer to them, over a connection that is kept, as its Content-Length says. */
function exchange(url: string, request: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    let read = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk]);
      const head = headOf(read);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1]);
      if (head === "" || read.length < head.length + length) return;
      resolve(read);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the answer is not whole: ${read}`)));
  });
}

/** The status line and the headers with the empty line after them; nothing while they are not whole. */
function headOf(bytes: Buffer): string {
  const end = bytes.indexOf("\r\n\r\n");
  return end < 0 ? "" : bytes.toString("latin1", 0, end + 4);
}

function parseAnswer(bytes: Buffer): PythonAnswer {
  const head = headOf(bytes);
  return {
    status: Number(head.split(" ")[1]),
    contentType: /^content-type: *(.*)\r$/im.exec(head)?.[1] ?? null,
    text: bytes.toString("utf8", head.length),
  };
}

/** The public API's own client, with the admin key; what it is answered is held to the API's description. */
export function ozClient(server: Server, options: ClientOptions = {}): OzAPI {
  return new OzAPI({
    apiKey: ADMIN_KEY,
    baseURL: `${server.url}/api/v1`,
    fetch: (url, init) => server.fetch(String(url).slice(server.url.length), init as RequestInit),
    ...options,
  });
}

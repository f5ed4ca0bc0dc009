import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { onFinished } from "./cleanup.ts";
import { ownAuthority } from "./own-authority.ts";

const TOLD = '{"model":"claude-test","usage":{"input_tokens":100,"output_tokens":20},"content":[]}';
const WAYS = ["/silent", "/lines", "/packed"];
const TYPES: Record<string, string> = { "/silent": "text/event-stream", "/lines": "application/jsonl" };

/**
 * A model behind TLS, which answers a message with 100 tokens of input and 20 of output; below `/silent`, with a stream that tells
 * none, below `/lines`, with a line of JSON, below `/packed`, compressed, and below `/limited`, that it takes no more for half an hour.
 */
export async function aModel() {
  const authority = ownAuthority();
  const keys: unknown[] = [];
  const server = createServer(authority.certify("localhost"), (request, response) => {
    keys.push(request.headers["x-api-key"]);
    const [way = ""] = WAYS.filter((each) => request.url?.startsWith(each));
    if (request.url?.startsWith("/limited")) {
      response.writeHead(429, { "retry-after": "1800" }).end();
      return;
    }
    response.setHeader("content-type", TYPES[way] ?? "application/json");
    if (way === "/packed") response.setHeader("content-encoding", "gzip");
    if (way === "/silent") response.end(`data: {"delta":{"content":"${"y".repeat(300)}"}}\n\n`);
    else response.end(way === "/packed" ? gzipSync(TOLD) : TOLD);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, keys, authorityFile: authority.file };
}

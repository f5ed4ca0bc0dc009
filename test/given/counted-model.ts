import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";
import { ownAuthority } from "./own-authority.ts";

/** A model behind TLS, which answers a message with 100 tokens of input and 20 of output. */
export async function aModel() {
  const authority = ownAuthority();
  const keys: unknown[] = [];
  const server = createServer(authority.certify("localhost"), (request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.setHeader("content-type", "application/json");
    response.end('{"model":"claude-test","usage":{"input_tokens":100,"output_tokens":20},"content":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, keys, authorityFile: authority.file };
}

import { request as ask, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

/**
 * Stands in front of servers, and forwards each request as it is.
 * @param targetOf where a request goes; nothing for one that is answered with 404
 * @returns where it listens
 */
export async function forwardingProxy(
  targetOf: (request: IncomingMessage) => URL | undefined,
): Promise<string> {
  const proxy = createServer((request, response) => {
    const target = targetOf(request);
    if (!target) {
      response.writeHead(404).end("This is the proxy.");
      return;
    }
    const { method, headers } = request;
    const forwarded = ask(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

/**
 * Stands before a server as nginx does with `location /millrace/ { proxy_pass http://127.0.0.1:8787/; }`: what begins with the
 * path goes to the server without it, and nothing else does.
 */
export async function pathProxy(path: string, port: number): Promise<{ url: string }> {
  const proxy = createServer((request, response) => {
    const { method, headers, url = "" } = request;
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404).end("This is the proxy.");
      return;
    }
    const forwarded = ask(
      { host: "127.0.0.1", port, method, headers, path: url.slice(path.length) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}` };
}

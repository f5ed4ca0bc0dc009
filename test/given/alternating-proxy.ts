import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

/** Stands in front of several servers, and gives each request to the next one of them. */
export async function alternatingProxy(targets: readonly string[]): Promise<string> {
  let turn = 0;
  const proxy = createServer((request, response) => {
    turn += 1;
    const target = new URL(targets[turn % targets.length] ?? "");
    const { method = "GET", url: path = "/", headers } = request;
    const forwarded = ask({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
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

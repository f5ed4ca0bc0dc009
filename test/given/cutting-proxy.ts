import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onFinished } from "./cleanup.ts";

/** Stands before a server and cuts the first connections, each after the head of its answer and so many bytes. */
export async function cuttingProxy(
  target: string,
  cuts: readonly number[],
  port = 0,
): Promise<{ url: string; connections: () => number }> {
  const to = new URL(target);
  const open = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((client) => {
    let left = cuts[connections] ?? Number.POSITIVE_INFINITY;
    connections += 1;
    const server = connect(Number(to.port), to.hostname);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => server.write(bytes));
    server.once("data", (bytes) => {
      left += bytes.indexOf("\r\n\r\n") + 4;
    });
    server.on("data", (bytes) => {
      client.write(bytes.subarray(0, left), () => left <= 0 && end());
      left -= bytes.length;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  onFinished(() => {
    for (const socket of open) socket.destroy();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

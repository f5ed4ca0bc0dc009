import { createServer } from "node:http";
import { connect } from "node:net";
import { onFinished } from "./cleanup.ts";
import { listening } from "./port.ts";

export interface ConnectProxy {
  /** `http://USER:PASSWORD@127.0.0.1:PORT` */
  url: string;
  /** What it was asked to connect to, in order. */
  asked: string[];
  /** Where names lead that nobody but the proxy knows. */
  ports: Map<string, number>;
}

/** A proxy of a company that takes CONNECT from those who know its password, and alone knows the hosts behind it. */
export async function connectProxy(user: string, password: string): Promise<ConnectProxy> {
  const proxy: ConnectProxy = { url: "", asked: [], ports: new Map() };
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const server = createServer((_, response) => response.writeHead(405).end());
  const sockets = new Set<{ destroy(): void }>();
  server.on("connect", (request, socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    proxy.asked.push(request.url ?? "");
    const [name = ""] = (request.url ?? "").split(":");
    const port = proxy.ports.get(name);
    const refuse = (status: string, headers = "") =>
      void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n${headers}\r\n`);
    if (request.headers["proxy-authorization"] !== expected)
      return refuse("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="acme"\r\n');
    if (port === undefined) return refuse("502 Bad Gateway");
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    sockets.add(target);
    target.on("error", () => socket.destroy());
  });
  onFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const at = `127.0.0.1:${await listening(server)}`;
  proxy.url = `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${at}`;
  return proxy;
}

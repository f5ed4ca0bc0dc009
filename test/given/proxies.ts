import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { onFinished } from "./cleanup.ts";
import { listening } from "./port.ts";

/**
 * Stands in front of servers, and forwards each request as it is.
 * @param targetOf where a request goes; nothing for one that is answered with 404
 * @returns where it listens
 */
async function forwardingProxy(targetOf: (request: IncomingMessage) => URL | undefined): Promise<string> {
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

/** Stands in front of several servers, and gives each request to the next one of them. */
export function alternatingProxy(targets: readonly string[]): Promise<string> {
  let turn = 0;
  return forwardingProxy(({ url = "/" }) => {
    turn += 1;
    return new URL(url, targets[turn % targets.length]);
  });
}

/**
 * Stands before a server as nginx does with `location /millrace/ { proxy_pass http://127.0.0.1:8787/; }`: what begins with the
 * path goes to the server without it, and nothing else does.
 */
export async function pathProxy(path: string, port: number): Promise<{ url: string }> {
  const proxy = await forwardingProxy(({ url = "" }) =>
    url.startsWith(`${path}/`) ? new URL(`http://127.0.0.1:${port}${url.slice(path.length)}`) : undefined,
  );
  return { url: proxy + path };
}

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

/** Stands before a server and cuts the first connections, each after the head of its answer and so many bytes. */
export async function cuttingProxy(
  target: string,
  cuts: readonly number[],
  port = 0,
): Promise<{ url: string; connections: () => number }> {
  const to = new URL(target);
  const open = new Set<Socket>();
  let connections = 0;
  const proxy = createTcpServer((client) => {
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

/** What becomes of a request: `lose` carries it out and cuts the answer off, `double` carries it out twice, `hold` does not. */
export type Fault = "pass" | "lose" | "double" | "hold";

interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** Stands between a worker and its server. Whoever starts it says what becomes of each request, by the name of what is asked. */
export async function faultyProxy(
  target: string,
  faultOf: (name: string) => Fault,
): Promise<{ url: string; asked: string[] }> {
  const { port } = new URL(target);
  const names: string[] = [];
  const proxy = createServer(async (request, response) => {
    const asked = await readWhole(request);
    const name = nameOf(asked);
    names.push(name);
    const fault = faultOf(name);
    if (fault === "hold") return;
    const carryOut = () => forward(asked, Number(port), response);
    const answers = await Promise.all(fault === "double" ? [carryOut(), carryOut()] : [carryOut()]);
    // The server cuts off the older one of two uploads of a file: whichever is answered, is the answer.
    const answer = answers.find((each) => each !== undefined);
    if (fault === "lose" || !answer) return void response.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked: names };
}

/** A fault of every other request of one name, beginning with the first. */
export function everyOther(fault: Fault): (name: string) => Fault {
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count % 2 === 0 ? fault : "pass";
  };
}

async function readWhole(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { method = "GET", url = "/", headers } = request;
  return { method, path: url, headers, body: Buffer.concat(parts) };
}

/** `claim`, `beat`, `upload`, or what a call is called. */
function nameOf({ method, path, body }: Asked): string {
  if (method === "PUT") return "upload";
  const name = path.replace(/^.*\//, "");
  return name === "call" ? JSON.parse(body.toString()).call : name;
}

/** @returns nothing when the server has not answered, or when nobody waits for the answer any more */
function forward(
  { method, path, headers, body }: Asked,
  port: number,
  response: ServerResponse,
): Promise<{ status: number; body: Buffer } | undefined> {
  return new Promise((resolve) => {
    const { "transfer-encoding": _, ...kept } = headers;
    const sent = { ...kept, "content-length": String(body.length) };
    const forwarded = ask(
      { host: "127.0.0.1", port, method, path, headers: sent, agent: false },
      async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part);
        resolve({ status: answer.statusCode ?? 502, body: Buffer.concat(parts) });
      },
    );
    forwarded.on("error", () => resolve(undefined));
    response.on("close", () => forwarded.destroy());
    forwarded.end(body);
  });
}

/** A network between a worker and its server. */
export interface CutLink {
  url: string;
  /** From now on everything is swallowed: nobody is told. */
  cut(): void;
  /** What is opened from now on gets through; what was open before stays as silent as it was. */
  mend(): void;
  /** How often something was swallowed. */
  swallowed(): number;
}

export async function cutLink(target: string): Promise<CutLink> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let swallowed = 0;
  const link = createTcpServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    let isSilent = isCut;
    const carry = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => {
        isSilent ||= isCut;
        if (isSilent) swallowed += 1;
        else to.write(bytes);
      });
      from.on("close", () => {
        sockets.delete(from);
        isSilent ||= isCut;
        if (!isSilent) to.destroy();
      });
    };
    carry(client, server);
    carry(server, client);
  });
  await new Promise<void>((resolve) => link.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    for (const socket of sockets) socket.destroy();
    link.close();
  });
  return {
    url: `http://127.0.0.1:${(link.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
    },
    swallowed: () => swallowed,
  };
}

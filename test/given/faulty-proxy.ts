import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

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

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { limitConnections } from "../../../src/server/http/limit-connections.ts";
import { onFinished } from "../../given/cleanup.ts";
import { sendRaw } from "../../given/raw-http.ts";

const STALLED_MS = 300;
/** More than the buffers of both kernels take. */
const LARGE = Buffer.alloc(24 * 1024 * 1024);

async function serve(handler: RequestListener, stalledMs = STALLED_MS) {
  const server = createServer(handler);
  limitConnections(server, { stalledMs });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port };
}

/** A connection with one request, of which the test reads what it likes. */
function ask(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  onFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  return socket;
}

const endOf = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

describe("a connection", () => {
  test("is ended when its client reads nothing of its answer", async () => {
    const { server, port } = await serve((_, response) => response.end(LARGE));
    const socket = ask(port);
    const [taken] = await once(server, "connection");
    await endOf(taken as Socket);
    // What the system held for it, some megabytes, is given back: it finds no more than its own side holds.
    socket.resume();
    await endOf(socket);
    expect(socket.bytesRead).toBeLessThan(1024 * 1024);
  });

  test("is ended also when its client sends something meanwhile", async () => {
    const { server, port } = await serve((_, response) => response.end(LARGE));
    const socket = ask(port);
    const [taken] = await once(server, "connection");
    const sending = setInterval(() => socket.write("\r\n"), STALLED_MS / 6);
    await endOf(taken as Socket);
    clearInterval(sending);
  });

  test("is ended also when its client takes nothing of a stream, to which a little is added", async () => {
    const { server, port } = await serve((_, response) => {
      response.write(LARGE);
      const adding = setInterval(() => response.write(": waiting\n\n"), STALLED_MS / 6);
      response.on("close", () => clearInterval(adding));
    });
    const [taken] = await Promise.all([once(server, "connection"), ask(port)]);
    await endOf(taken[0] as Socket);
  });

  test("stays while its client reads slowly", async () => {
    // A busy machine lets this client wait too: it is given more time than it takes between two pieces.
    const stalledMs = 5 * STALLED_MS;
    const { port } = await serve((_, response) => {
      response.write(LARGE);
      response.end(LARGE);
    }, stalledMs);
    const socket = ask(port);
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), STALLED_MS / 60);
    });
    const ended = endOf(socket);
    socket.resume();
    const whole = new Promise<void>((resolve) => {
      socket.on("data", () => bytes > 2 * LARGE.length && resolve());
    });
    await Promise.race([whole, ended]);
    expect(bytes).toBeGreaterThan(2 * LARGE.length);
  });

  test("stays while its answer is being made, also one of which a part is sent", async () => {
    const { port } = await serve(async (_, response) => {
      response.write("a part");
      await sleep(4 * STALLED_MS);
      response.end(" and the rest");
    });
    const socket = ask(port);
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    socket.resume();
    while (!text.includes("and the rest") && !socket.destroyed) await sleep(20);
    expect(text).toContain("and the rest");
  });

  test("is refused when as many are open as the limit on open files leaves room for", async () => {
    const { server, port } = await serve((_, response) => response.write("a part"));
    expect(server.maxConnections).toBeGreaterThan(100);
    expect(server.maxConnections).toBeLessThanOrEqual(16_384);
    server.maxConnections = 2;
    const sockets = [ask(port), ask(port)];
    await Promise.all(sockets.map((socket) => once(socket, "readable")));
    const dropped = once(server, "drop");
    const third = ask(port);
    await dropped;
    third.resume();
    await endOf(third);
    expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
  });

  test("ends with its next answer while nearly as many are open as may be, and stays again when they are fewer", async () => {
    const { server, port } = await serve((_, response) => response.end("{}"));
    server.maxConnections = 8;
    const url = `http://127.0.0.1:${port}`;
    const one = "GET / HTTP/1.1\r\nhost: here\r\n\r\n";
    const others = Array.from({ length: 7 }, () => connect(port, "127.0.0.1"));
    await Promise.all(others.map((socket) => once(socket, "connect")));
    const crowded = await sendRaw(url, [one]);
    expect([crowded.statuses, crowded.closed]).toEqual([[200], true]);
    expect(crowded.text.toLowerCase()).toContain("connection: close");
    const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    for (const socket of others) socket.destroy();
    await expect.poll(open).toBe(0);
    expect(await sendRaw(url, [one, one], { answers: 2 })).toMatchObject({ statuses: [200, 200] });
  });
});

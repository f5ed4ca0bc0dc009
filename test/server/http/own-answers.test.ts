import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { listen } from "../../../src/server/http/listen.ts";
import { onFinished } from "../../given/cleanup.ts";
import { sendRaw } from "../../given/raw-http.ts";

const NO_HOST = "GET / HTTP/1.1\r\n\r\n";
const EXPECTS = "GET / HTTP/1.1\r\nhost: here\r\nexpect: wonders\r\n\r\n";
/** Its answer stays open. */
const OPEN = "GET /open HTTP/1.1\r\nhost: here\r\n\r\n";

async function serve() {
  const handled: string[] = [];
  const { port, close } = await listen({ host: "127.0.0.1", port: 0 }, (request, response) => {
    handled.push(request.url ?? "");
    if (request.url === "/open") response.write("{");
    else response.end("{}");
  });
  onFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, handled };
}

async function closed(socket: Socket): Promise<boolean> {
  const timer = setTimeout(() => socket.destroy(new Error("still open")), 5_000);
  const isStillOpen = await Promise.race([
    once(socket, "close").then(() => false),
    new Promise((resolve) => socket.once("error", ({ message }) => resolve(message === "still open"))),
  ]);
  clearTimeout(timer);
  return !isStillOpen;
}

describe("requests that are refused before any handler sees them", () => {
  test.each([
    ["have no Host header", NO_HOST, 400],
    ["expect what the server does not know", EXPECTS, 417],
  ])("are answered when they %s", async (_, text, status) => {
    const { url, handled } = await serve();
    expect((await sendRaw(url, [text])).statuses).toEqual([status]);
    expect(handled).toEqual([]);
  });

  test.each([
    ["have no Host header", NO_HOST],
    ["expect what the server does not know", EXPECTS],
  ])("end the connection when more wait than any client sends, and %s", async (_, text) => {
    const { port } = await serve();
    const socket = connect(port, "127.0.0.1");
    onFinished(() => {
      socket.destroy();
    });
    socket.resume();
    const end = closed(socket);
    socket.write(OPEN + text.repeat(100));
    expect(await end).toBe(true);
  });

  test("are none of HTTP/1.0, which knows no Host, nor of clients that wait for 100", async () => {
    const { url } = await serve();
    const old = await sendRaw(url, ["GET / HTTP/1.0\r\n\r\n"]);
    const waiting = await sendRaw(url, ["GET / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\n\r\n"]);
    expect([old.statuses, waiting.statuses.at(-1)]).toEqual([[200], 200]);
  });
});

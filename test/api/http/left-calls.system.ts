import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ApiRequest } from "../../../src/api/http/endpoint.ts";
import { openEventStream } from "../../../src/api/http/event-stream.ts";
import { longPoll } from "../../../src/api/http/long-poll.ts";
import { createCommitSignal } from "../../../src/concurrency/rounds.ts";
import { acmeServer, ask } from "../../given/ask.ts";
import { onFinished } from "../../given/cleanup.ts";
import { ADMIN_KEY } from "../../given/server.ts";

const CALLER = { kind: "key", key: { id: "key" } } as ApiRequest["caller"];

/** A call whose caller has left before it is answered, as when its key is looked up meanwhile. */
async function leftCall() {
  const server = createServer().listen(0, "127.0.0.1");
  onFinished(() => {
    server.close();
  });
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  const [request, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  socket.resetAndDestroy();
  await once(response, "close");
  let looks = 0;
  const isAdmitted = async () => {
    looks += 1;
    return true;
  };
  return { http: { request, response, isAdmitted } as unknown as ApiRequest["http"], looks: () => looks };
}

describe("a call whose caller has left before it is answered", () => {
  test("opens no stream", async () => {
    const { http, looks } = await leftCall();
    const stream = openEventStream(http);
    expect(stream.closed.aborted).toBe(true);
    await stream.send({ event: "output", data: {} });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(looks()).toBe(0);
  });

  test("does not wait for a change", async () => {
    const { http } = await leftCall();
    const began = performance.now();
    await longPoll(
      { http, caller: CALLER, query: { wait: "60s" } },
      createCommitSignal(),
      async () => "seen",
      () => true,
    );
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test("a HEAD request for a stream is answered, and opens none", async () => {
  const { status, headers } = await ask(await acmeServer(), "HEAD", "/events");
  expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
});

describe("a call whose caller has closed its side of the connection", () => {
  /** Sends a request, and after that nothing any more. */
  async function halfClosed(path: string): Promise<string> {
    const { url } = await acmeServer();
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    onFinished(() => {
      socket.destroy();
    });
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.end(`GET /api/v1${path} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${ADMIN_KEY}\r\n\r\n`);
    await once(socket, "end");
    return answer;
  }

  test("is answered", async () => {
    expect(await halfClosed("/factories")).toMatch(/^HTTP\/1\.1 200 .*"factories":/s);
  });

  test("has its stream begun and ended", async () => {
    expect(await halfClosed("/events")).toMatch(/^HTTP\/1\.1 200 .*: connected/s);
  });

  test("does not wait", async () => {
    const { http } = await leftCall();
    const socket = Object.assign(new EventEmitter(), { readableEnded: true });
    const response = Object.assign(new EventEmitter(), { closed: false });
    const half = { ...http, request: { socket }, response } as unknown as ApiRequest["http"];
    const look = async () => "seen";
    const seen = longPoll(
      { http: half, caller: CALLER, query: { wait: "60s" } },
      createCommitSignal(),
      look,
      () => true,
    );
    expect(await seen).toBe("seen");
  });
});

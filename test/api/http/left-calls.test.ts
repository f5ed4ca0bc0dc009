import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ApiRequest } from "../../../src/api/http/endpoint.ts";
import { openEventStream } from "../../../src/api/http/event-stream.ts";
import { longPoll } from "../../../src/api/http/long-poll.ts";
import { createCommitSignal } from "../../../src/concurrency/commit-signal.ts";
import { acmeServer, ask } from "../../given/ask.ts";
import { onFinished } from "../../given/cleanup.ts";

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

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createBodyRoom } from "../../src/edge/body-room.ts";
import { bodyReader, SenderGone } from "../../src/edge/read-body.ts";
import { onFinished } from "../given/cleanup.ts";

/** A request whose sender has left before anything read it, as when its key is looked up meanwhile. */
async function requestOfGoneSender(text: string): Promise<IncomingMessage> {
  const server = createServer().listen(0, "127.0.0.1");
  onFinished(() => {
    server.close();
  });
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(text);
  const [request] = (await once(server, "request")) as [IncomingMessage];
  socket.resetAndDestroy();
  await new Promise((resolve) => request.once("close", resolve));
  return request;
}

describe("the room for bodies has its place back", () => {
  test.each([
    ["without a body", "GET / HTTP/1.1\r\nhost: here\r\n\r\n"],
    ["with a part of its body", "POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\n{"],
  ])("when a sender has left before its request is read, %s", async (_, text) => {
    const room = createBodyRoom({ bytes: 100, bodies: 1 });
    const request = await requestOfGoneSender(text);
    await expect(bodyReader({ room, limit: 100 })(request)).rejects.toThrow(SenderGone);
    expect(room.enter()).toBeDefined();
  });
});

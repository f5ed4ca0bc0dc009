import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { Millrace, type TranscriptEvent } from "../../src/client/client.ts";
import { parseServerSentEvents, type ServerSentEvent } from "../../src/client/server-sent-events.ts";
import { ok, type Step, scriptedServer } from "../given/scripted-server.ts";
import { waitFor } from "../given/server.ts";

const output = (id: number, text: string) =>
  `id: ${id}\nevent: output\ndata: ${JSON.stringify({ text, stream: "stdout", turn: 1, at: "" })}\n\n`;
const END = 'event: end\ndata: {"state":"SUCCEEDED"}\n\n';

/** Sends events and then does something with the connection. */
const events =
  (text: string, then: (response: ServerResponse) => void = (response) => response.end()): Step =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text, () => then(response));
  };

async function follow(steps: Step[], options = {}) {
  const { url, received } = await scriptedServer(...steps);
  const read: TranscriptEvent[] = [];
  for await (const event of new Millrace({ baseUrl: url }).runs.follow("r", options)) read.push(event);
  const text = read.map(({ event, data }) => (event === "output" ? data.text : data.state));
  return { text, read, asked: received.map(({ headers }) => headers["last-event-id"]), received };
}

describe("a transcript is followed", () => {
  test("to its end", async () => {
    const { text, read, received } = await follow([events(output(1, "a") + output(2, "b") + END)]);
    expect(text).toEqual(["a", "b", "SUCCEEDED"]);
    expect(read[0]).toEqual({
      id: "1",
      event: "output",
      data: { text: "a", stream: "stdout", turn: 1, at: "" },
    });
    expect(received[0]).toMatchObject({
      url: "/api/v1/agent/runs/r/transcript?follow=true",
      headers: { accept: "text/event-stream" },
    });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["was reset", (response) => response.socket?.resetAndDestroy()],
    ["was ended", (response) => response.end()],
  ])("over a connection that %s, without losing or repeating a line", async (_, cut) => {
    const half = output(3, "c").slice(0, 20);
    const { text, asked } = await follow([
      events(output(1, "a") + output(2, "b") + half, cut),
      { status: 503, headers: { "retry-after": "0.001" } },
      events(output(3, "c") + END),
    ]);
    expect(text).toEqual(["a", "b", "c", "SUCCEEDED"]);
    expect(asked).toEqual([undefined, "2", "2"]);
  });

  test("and followers are notified when the connection is lost and restored", async () => {
    const told: string[] = [];
    await follow(
      [events(output(1, "a")), { status: 503, headers: { "retry-after": "0.001" } }, events(END)],
      {
        onConnection: (state: string) => told.push(state),
      },
    );
    expect(told).toEqual(["open", "lost", "open"]);
  });

  test("over a connection on which nothing comes any more", async () => {
    const { text, asked } = await follow([events(output(1, "a"), () => {}), events(END)], {
      timeoutMs: 1_000,
    });
    expect([text, asked]).toEqual([
      ["a", "SUCCEEDED"],
      [undefined, "1"],
    ]);
  });

  test("from where the reader has been before", async () => {
    expect((await follow([events(END)], { lastEventId: "41" })).asked).toEqual(["41"]);
  });

  test("until the reader has had enough, and then the connection is closed", async () => {
    const { url, opened } = await scriptedServer(events(output(1, "a"), () => {}));
    for await (const { event } of new Millrace({ baseUrl: url }).runs.follow("r")) {
      expect(event).toBe("output");
      break;
    }
    await waitFor(() => opened() === 0 || undefined);
  });

  test("until it is aborted, and then the connection is closed", async () => {
    const { url, opened } = await scriptedServer(events(output(1, "a"), () => {}));
    const abort = new AbortController();
    const stream = new Millrace({ baseUrl: url }).runs.follow("r", { signal: abort.signal });
    await stream.next();
    const next = stream.next();
    abort.abort();
    await expect(next).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    await waitFor(() => opened() === 0 || undefined);
  });

  test("only when it is a stream of events", async () => {
    await expect(follow([ok({})])).rejects.toThrow(
      "Expected an event stream, but received application/json.",
    );
    await expect(follow([{ status: 404 }])).rejects.toThrow("The server returned 404");
  });
});

test("a text that breaks off is an error, and no short text", async () => {
  const { url } = await scriptedServer((response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("first", () => response.socket?.resetAndDestroy());
  });
  await expect(new Millrace({ baseUrl: url }).runs.transcript("r")).rejects.toThrow(
    "The connection was lost in the middle of a response.",
  );
});

test("changes are read for as long as they are wanted", async () => {
  const change = (id: number) => `id: ${id}\nevent: run\ndata: {"n":${id}}\n\n`;
  const { url, received } = await scriptedServer(events(change(1)), events(change(2)));
  const read: unknown[] = [];
  for await (const event of new Millrace({ baseUrl: url }).events({ lastEventId: "0" })) {
    read.push(event);
    if (read.length === 2) break;
  }
  expect(read).toEqual([
    { id: "1", event: "run", data: { n: 1 } },
    { id: "2", event: "run", data: { n: 2 } },
  ]);
  expect(received.map(({ url, headers }) => [url, headers["last-event-id"]])).toEqual([
    ["/api/v1/events", "0"],
    ["/api/v1/events", "1"],
  ]);
});

describe("events are read as the HTML standard has it:", () => {
  async function parse(...chunks: (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
    const encoder = new TextEncoder();
    async function* bytes() {
      for (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    }
    const read: ServerSentEvent[] = [];
    for await (const event of parseServerSentEvents(bytes())) read.push(event);
    return read;
  }
  const message = (data: string, id?: string) => ({ id, event: "message", data });

  test.each<[string, string[], ServerSentEvent[]]>([
    ["several lines of data", ["data: a\ndata:b\ndata:  c\n\n"], [message("a\nb\n c")]],
    ["comments and unknown fields", [": waiting\n\nretry: 5\ndata: a\nx\n\n"], [message("a")]],
    [
      "every end of line",
      ["data: a\r\n\r\ndata: b\r\rdata: c\n\n"],
      [message("a"), message("b"), message("c")],
    ],
    ["an end of line in two pieces", ["data: a\r", "\ndata: b\r\n\r", "\n"], [message("a\nb")]],
    ["an id that lasts", ["id: 1\ndata: a\n\ndata: b\n\n"], [message("a", "1"), message("b", "1")]],
    ["an id that cannot be sent", ["id: 1\0\ndata: a\n\n"], [message("a")]],
    ["no data", ["event: x\n\ndata\n\n"], [message("")]],
    ["an event that breaks off", ["data: a\n\ndata: b\n"], [message("a")]],
  ])("%s", async (_, chunks, expected) => {
    expect(await parse(...chunks)).toEqual(expected);
  });

  test("a letter in two pieces", async () => {
    const bytes = new TextEncoder().encode("data: ü\n\n");
    expect(await parse(bytes.slice(0, 7), bytes.slice(7))).toEqual([message("ü")]);
  });
});

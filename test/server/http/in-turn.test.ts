import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { answerInTurn } from "../../../src/server/http/in-turn.ts";
import { onFinished } from "../../given/cleanup.ts";
import { sendRaw } from "../../given/raw-http.ts";
import { waitFor } from "../../given/server.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: here\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
/** Of this many, Node hands over many hundreds in one read. */
const MANY = 2_000;

/** Answers each request with its path and the size of its body, `/open` when the test says so. */
async function serve({ maxWaitingBeyond }: { maxWaitingBeyond?: number } = {}) {
  const handled: string[] = [];
  const open: ServerResponse[] = [];
  const seen = { atOnce: 0, most: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    handled.push(request.url ?? "");
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    response.prependOnceListener("close", () => {
      seen.atOnce -= 1;
    });
    if (request.url === "/open") open.push(response);
    else response.end(JSON.stringify({ path: request.url, size: await sizeOf(request) }));
  };
  const handler: RequestListener = (request, response) => void answer(request, response).catch(() => {});
  const server = createServer({ requireHostHeader: false });
  answerInTurn(server, handler, {
    refuse: (_, socket) => socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
    ...(maxWaitingBeyond === undefined ? {} : { maxWaitingBeyond }),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, handled, open, seen };
}

async function sizeOf(request: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of request) size += chunk.length;
  return size;
}

/** Sends bytes, closes its own side, and reads to the end. */
async function sendAndClose(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onFinished(() => {
    socket.destroy();
  });
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.end(text);
  await once(socket, "end");
  return answer;
}

const pathsIn = (text: string) => [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path);
const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);

describe("requests that a connection has sent ahead", () => {
  test("are all answered, in their order and one at a time, however many they are", async () => {
    const { url, seen } = await serve();
    const sent = paths(MANY);
    const { text, closed } = await sendRaw(url, [sent.map(get).join("")], { answers: MANY, waitMs: 30_000 });
    expect(pathsIn(text)).toEqual(sent);
    expect([seen.most, closed]).toEqual([1, false]);
  });

  test("are all answered also when they have bodies that come in many pieces", async () => {
    const { url } = await serve();
    const body = "x".repeat(5_000);
    const sent = paths(200);
    const text = sent.map((path) => post(path, body)).join("");
    const answer = await sendRaw(url, [text], { answers: 200, waitMs: 30_000 });
    expect(pathsIn(answer.text)).toEqual(sent);
    expect(answer.text.match(/"size":5000/g)).toHaveLength(200);
  });

  test("are not read further while many wait, and read on when their turn comes", async () => {
    const { port, open } = await serve();
    const socket = connect(port, "127.0.0.1");
    onFinished(() => {
      socket.destroy();
    });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    const body = "x".repeat(100_000);
    const sent = paths(200);
    // 20 MB: more than the buffers of both kernels take, so that writing ends only when the server reads on.
    let isTaken = false;
    socket.write(get("/open") + sent.map((path) => post(path, body)).join(""), () => {
      isTaken = true;
    });
    await waitFor(async () => open.at(0));
    await sendRaw(`http://127.0.0.1:${port}`, [get("/other")], { answers: 1 });
    expect(isTaken).toBe(false);
    open[0]?.end("{}");
    await waitFor(async () => pathsIn(text).length === sent.length || undefined);
    expect(pathsIn(text)).toEqual(sent);
  });

  test("end with an answer that closes the connection when too many wait on all of them; the others are not carried out", async () => {
    const { url, handled } = await serve({ maxWaitingBeyond: 10 });
    const answer = await sendRaw(url, [paths(MANY).map(get).join("")]);
    expect(answer).toMatchObject({ closed: true, reset: false });
    expect(answer.statuses.length).toBeGreaterThan(10);
    expect(answer.statuses.length).toBeLessThan(MANY);
    expect(pathsIn(answer.text)).toEqual(handled);
    expect(answer.text.match(/connection: close/gi)).toHaveLength(1);
  });

  test("leave their room to others when their client has gone", async () => {
    const { url, port, open } = await serve({ maxWaitingBeyond: 50 });
    for (let n = 0; n < 3; n += 1) {
      const socket = connect(port, "127.0.0.1");
      socket.write(get("/open") + paths(60).map(get).join(""));
      const response = await waitFor(async () => open.at(n));
      socket.destroy();
      // A connection that is not read shows that its client has gone when something is written to it.
      response.end("{}");
      if (!response.closed) await once(response, "close");
    }
    const { statuses } = await sendRaw(url, [paths(60).map(get).join("")], { answers: 60 });
    expect(statuses).toEqual(Array(60).fill(200));
  });
});

describe("a connection whose client has closed its side", () => {
  test.each([1, 3, 500])("gets the answers to its %i requests, and then ends", async (count) => {
    const { port } = await serve();
    const sent = paths(count);
    expect(pathsIn(await sendAndClose(port, sent.map((path) => post(path, "{}")).join("")))).toEqual(sent);
  });

  test("gets an answer that takes its time", async () => {
    const { port, open } = await serve();
    const answer = sendAndClose(port, get("/open"));
    const response = await waitFor(async () => open.at(0));
    if (!response.req.socket.readableEnded) await once(response.req.socket, "end");
    response.end("late");
    expect(await answer).toContain("late");
  });

  test("gets none for a request that has not come as a whole", async () => {
    const { port, handled } = await serve();
    const answer = await sendAndClose(
      port,
      `${post("/0", "{}")}POST /1 HTTP/1.1\r\nhost: here\r\ncontent-le`,
    );
    expect([pathsIn(answer), handled]).toEqual([["/0"], ["/0"]]);
  });
});

describe("what is not HTTP behind requests", () => {
  test.each([1, 30])("does not keep the %i before it from being answered", async (count) => {
    const { url } = await serve();
    const sent = paths(count);
    const answer = await sendRaw(url, [`${sent.map((path) => post(path, "{}")).join("")}nonsense\r\n\r\n`]);
    expect(answer).toMatchObject({ statuses: [...Array(count).fill(200), 400], closed: true });
    expect(pathsIn(answer.text)).toEqual(sent);
  });

  test("breaks off a body that it is a part of", async () => {
    const { url } = await serve();
    const head = "POST /0 HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n";
    const answer = await sendRaw(url, [`${get("/1")}${head}2\r\n{}\r\nnonsense\r\n`]);
    expect([answer.statuses.at(-1), pathsIn(answer.text), answer.closed]).toEqual([400, ["/1"], true]);
  });
});

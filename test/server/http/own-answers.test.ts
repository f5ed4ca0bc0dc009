import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { listen } from "../../../src/server/http/listen.ts";
import { onFinished } from "../../given/cleanup.ts";
import { type RawAnswer, sendRaw } from "../../given/raw-http.ts";
import { waitFor } from "../../given/server.ts";

const NO_HOST = "GET / HTTP/1.1\r\n\r\n";
const EXPECTS = "GET / HTTP/1.1\r\nhost: here\r\nexpect: wonders\r\n\r\n";
/** Its answer stays open. */
const OPEN = "GET /open HTTP/1.1\r\nhost: here\r\n\r\n";

async function serve() {
  const handled: string[] = [];
  const open: ServerResponse[] = [];
  const { port, close } = await listen(
    { host: "127.0.0.1", port: 0 },
    (request, response) => {
      handled.push(request.url ?? "");
      if (request.url === "/open") open.push(response);
      else response.end("{}");
    },
    { keepAliveMs: 5_000, publicUrl: () => "https://millrace.example" },
  );
  onFinished(close);
  return { url: `http://127.0.0.1:${port}`, handled, open };
}

/** The headers and the problem of the last answer. */
function lastProblem({ text }: RawAnswer) {
  const [head = "", body = ""] = (text.split(/^(?=HTTP\/1\.1 \d{3} )/m).at(-1) ?? "").split("\r\n\r\n");
  return { head: head.toLowerCase(), problem: JSON.parse(body) };
}

describe("requests that are refused before any handler sees them", () => {
  test.each([
    ["have no Host header", NO_HOST, 400],
    ["expect what the server does not know", EXPECTS, 417],
    ["are no HTTP", "hello\r\n\r\n", 400],
    ["have too many headers", `GET / HTTP/1.1\r\nhost: here\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("are answered when they %s", async (_, text, status) => {
    const { url, handled } = await serve();
    const answer = await sendRaw(url, [text]);
    expect(answer).toMatchObject({ statuses: [status], closed: true });
    const { head, problem } = lastProblem(answer);
    expect(head).toContain("content-type: application/problem+json");
    expect(problem).toMatchObject({ status, detail: expect.any(String), remedy: expect.any(String) });
    expect(handled).toEqual([]);
  });

  test.each([
    ["have no Host header", NO_HOST],
    ["expect what the server does not know", EXPECTS],
  ])("wait behind one that is open when they %s, and only the first is answered", async (_, text) => {
    const { url, handled, open } = await serve();
    const answer = sendRaw(url, [OPEN + text.repeat(100)], { waitMs: 10_000 });
    await waitFor(async () => open.at(0));
    open[0]?.end("{}");
    const { statuses, closed } = await answer;
    expect([statuses.length, statuses[0], closed]).toEqual([2, 200, true]);
    expect(handled).toEqual(["/open"]);
  });

  test("name the page of their code at the public URL, and where no code has the status, none", async () => {
    const { url } = await serve();
    const noHost = lastProblem(await sendRaw(url, [NO_HOST])).problem;
    expect(noHost).toMatchObject({ type: "https://millrace.example/errors/invalid_request", instance: "/" });
    expect(lastProblem(await sendRaw(url, [EXPECTS])).problem).toMatchObject({
      type: "about:blank",
      title: "Expectation Failed",
    });
  });

  test("are none of HTTP/1.0, which knows no Host, nor of clients that wait for 100", async () => {
    const { url } = await serve();
    const old = await sendRaw(url, ["GET / HTTP/1.0\r\n\r\n"]);
    const waiting = await sendRaw(url, ["GET / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\n\r\n"]);
    expect([old.statuses, waiting.statuses.at(-1)]).toEqual([[200], 200]);
  });
});

import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { askServer } from "../../src/cli/connect.ts";
import { run } from "../given/server.ts";

async function listen(server: Server): Promise<string> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const web = (answer: RequestListener) => listen(createHttpServer(answer));
const command = (url: string, args = ["runs", "list"]) =>
  run(args, { MILLRACE_SERVER: url, MILLRACE_API_KEY: "x" });

describe("something other than a millrace server is reported as such:", () => {
  test.each<[string, number, string, string]>([
    ["a web page", 200, "text/html; charset=utf-8", "<html>hello</html>"],
    ["another API", 200, "application/json", '{"ok":true}'],
    ["another API that finds nothing", 404, "application/json", '{"message":"nope"}'],
    ["a proxy without its server", 502, "text/html", "<h1>Bad Gateway</h1>"],
  ])("%s", async (_, status, type, body) => {
    const url = await web((_request, response) => {
      response.writeHead(status, { "content-type": type }).end(body);
    });
    for (const args of [["runs", "list"], ["status"], ["webhooks", "list"]]) {
      const { code, printed, said } = await command(url, args);
      expect([code, printed]).toEqual([3, ""]);
      expect(said).toBe(
        `Not a millrace server.\n${url} did not respond like a millrace server: it returned ${status} with ${type.split(";")[0]}.\n` +
          "Check --server or MILLRACE_SERVER, and any proxy between you and the server.\n",
      );
    }
  });

  test("a program that closes the connection immediately", async () => {
    const url = await listen(createServer((socket) => socket.destroy()));
    const { code, said } = await command(url);
    expect([code, said]).toEqual([
      3,
      expect.stringContaining(`${url} did not respond like a millrace server:`),
    ]);
  });

  test("a program that speaks something else", async () => {
    const url = await listen(createServer((socket) => socket.on("data", () => socket.end("SSH-2.0-x\r\n"))));
    const { code, said } = await command(url);
    expect([code, said]).toEqual([3, expect.stringContaining("did not respond like a millrace server:")]);
  });
});

test("a server that is asked over https and speaks http is named as such", async () => {
  const url = (await web((_request, response) => response.end())).replace("http:", "https:");
  const { code, said } = await command(url);
  expect(code).toBe(3);
  expect(said).toBe(
    `The server cannot be reached.\n${url} did not respond like a millrace server: it does not use TLS.\n` +
      `Set --server or MILLRACE_SERVER to ${url.replace("https:", "http:")}, or to the address of the proxy that terminates TLS.\n`,
  );
});

describe("a server that takes the connection and says nothing", () => {
  test("is given up after half a minute, unless it is asked to wait", async () => {
    const url = await listen(createServer(() => {}));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const ask = askServer(url);
    const plain = { headers: {}, body: undefined, signal: new AbortController().signal };
    const waits = ask({ ...plain, method: "POST", url: `${url}/api/v1/factories/a/sync?wait=true` });
    let waitEnded = false;
    waits
      .catch(() => {})
      .finally(() => {
        waitEnded = true;
      });
    const given = expect(ask({ ...plain, method: "GET", url: `${url}/api/v1/factories` })).rejects.toThrow(
      "within 30 s",
    );
    await vi.advanceTimersByTimeAsync(30_000);
    await given;
    expect(waitEnded).toBe(false);
  });
});

test.each(["127.0.0.1:8787", "localhost:8787", "http://", "ftp://x", ""])(
  "a server address that is not a URL (%s) is a usage error",
  async (server) => {
    const { code, printed, said } = await run(["runs", "list", "--server", server], {
      MILLRACE_API_KEY: "x",
    });
    expect([code, printed]).toEqual([2, ""]);
    expect(said).toContain(`"${server}" is not a valid server URL.`);
    expect(said).toContain("http://HOST:PORT");
  },
);

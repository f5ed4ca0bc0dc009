import dns from "node:dns";
import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { addressRules } from "../../src/outbound/address-rules.ts";
import { createOutboundClient, retryAfterMs } from "../../src/outbound/outbound-client.ts";
import { onFinished } from "../given/cleanup.ts";
import { receiver } from "../given/outbound.ts";
import { listening } from "../given/port.ts";
import { connectProxy } from "../given/proxies.ts";

const open = addressRules(["127.0.0.1/32"]);
const closed = addressRules([]);

const post = (
  url: string,
  {
    isPermitted = open,
    env = {},
    timeoutMs = 5_000,
  }: Partial<Parameters<typeof createOutboundClient>[0]> = {},
) =>
  createOutboundClient({ isPermitted, env, timeoutMs })({
    url,
    headers: { "content-type": "application/json" },
    body: `{"n":"ä"}`,
    signal: new AbortController().signal,
  });

afterEach(() => vi.restoreAllMocks());

/** Answers look-ups of a name with these addresses in turn. */
function resolvingTo(...answers: string[][]) {
  let asked = 0;
  vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: object,
    done: (...told: unknown[]) => void,
  ) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  }) as never);
  return () => asked;
}

describe("an outbound request", () => {
  test("is posted, and its answer's status and Retry-After are told", async () => {
    const target = await receiver();
    target.answer((response) => response.writeHead(429, { "retry-after": "7" }).end("x".repeat(100_000)));
    expect(await post(target.url)).toEqual({ status: 429, retryAfter: "7" });
    expect(target.requests[0]?.body).toBe(`{"n":"ä"}`);
  });

  test.each([
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::1]:PORT/",
    "http://0.0.0.0:PORT/",
  ])("does not reach this machine as %s", async (url) => {
    const target = await receiver();
    const port = new URL(target.url).port;
    await expect(post(url.replace("PORT", port), { isPermitted: closed })).rejects.toThrow(
      "MILLRACE_OUTBOUND_ALLOW",
    );
    expect(target.requests).toEqual([]);
  });

  test("goes to the address that was checked, though its name leads elsewhere a moment later", async () => {
    const target = await receiver();
    const { port } = new URL(target.url);
    const asked = resolvingTo(["127.0.0.1"], ["10.0.0.1"]);
    expect((await post(`http://rebinding.test:${port}/`)).status).toBe(204);
    expect(asked()).toBe(1);
  });

  test("is not sent when one of several addresses is not permitted", async () => {
    resolvingTo(["127.0.0.1", "10.0.0.1"]);
    await expect(post("http://mixed.test:1/")).rejects.toThrow("may not reach");
  });

  test("follows no redirect", async () => {
    const [target, inside] = [await receiver(), await receiver()];
    target.answer((response) => response.writeHead(302, { location: inside.url }).end());
    expect((await post(target.url)).status).toBe(302);
    expect(inside.requests).toEqual([]);
  });

  test("ends when there is no answer in time, or an answer without end", async () => {
    const target = await receiver();
    target.answer(() => {});
    await expect(post(target.url, { timeoutMs: 200 })).rejects.toThrow("did not answer in time");
    target.answer((response) => {
      response.writeHead(200);
      const more = () =>
        response.write(Buffer.alloc(64 * 1024), () => response.destroyed || setImmediate(more));
      more();
    });
    expect((await post(target.url)).status).toBe(200);
  });

  test("has the status for its answer, also when the body breaks off or never ends", async () => {
    const target = await receiver();
    target.answer((response) => {
      response.writeHead(200, { "content-length": 1_000 }).write("half");
      setTimeout(() => response.destroy(), 50);
    });
    expect((await post(target.url)).status).toBe(200);
    target.answer((response) => void response.writeHead(202).write("half"));
    expect((await post(target.url, { timeoutMs: 2_000 })).status).toBe(202);
  });

  test.each([
    ["7", 7_000],
    ["0", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["Sat, 28 Nov 2026 12:00:09 GMT", 9_000],
    ["Sat, 28 Nov 2026 11:00:00 GMT", 0],
  ])("is told to wait by a Retry-After of %j", (header, expected) => {
    expect(retryAfterMs(header, new Date("2026-11-28T12:00:00Z"))).toBe(expected);
  });

  test.each([true, false])(
    "ends when the answer changes the protocol (keeps the connection: %s)",
    async (isKept) => {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => {
          socket.write(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
          );
          if (!isKept) socket.end();
        });
      });
      onFinished(() => new Promise((resolve) => server.close(resolve)));
      const url = `http://127.0.0.1:${await listening(server)}/`;
      expect(await post(url)).toEqual({ status: 101, retryAfter: undefined });
    },
  );

  test("names in its errors neither an address behind a name nor what the URL holds", async () => {
    resolvingTo(["127.0.0.1"]);
    const error = await post("http://closed.test:1/a-secret-path").catch((thrown) => thrown);
    expect(error.message).toBe("the request to closed.test failed (ECONNREFUSED)");
  });
});

describe("with a proxy, an outbound request", () => {
  const through = (proxy: { url: string }) => ({ http_proxy: proxy.url });

  test("goes through it to the address that was checked here", async () => {
    const target = await receiver();
    const proxy = await connectProxy("millrace", "s3cret");
    proxy.ports.set("127.0.0.1", Number(new URL(target.url).port));
    resolvingTo(["127.0.0.1"]);
    expect((await post("http://hook.test/x", { env: through(proxy) })).status).toBe(204);
    expect(proxy.asked).toEqual(["127.0.0.1:80"]);
    expect(target.requests[0]?.headers.host).toBe("hook.test");
  });

  test("does not reach through it what it may not reach without", async () => {
    const proxy = await connectProxy("millrace", "s3cret");
    const refused = { isPermitted: closed, env: through(proxy) };
    await expect(post("http://127.0.0.1/", refused)).rejects.toThrow("may not reach");
    resolvingTo(["169.254.169.254"]);
    await expect(post("http://metadata.test/", refused)).rejects.toThrow("may not reach");
    expect(proxy.asked).toEqual([]);
  });

  test("whose proxy refuses says so without the proxy's password", async () => {
    const proxy = await connectProxy("millrace", "s3cret");
    const url = proxy.url.replace("s3cret", "wr0ng");
    const error = await post("http://127.0.0.1/", { env: { http_proxy: url } }).catch((thrown) => thrown);
    expect(error.message).toBe("the proxy answered 407");
  });
});

import { statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { failToStart } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** A server that a proxy reaches over a unix socket, and a delivery that comes from there. */
async function stage(env: Record<string, string> = {}) {
  const socketPath = join(temporaryFolder(), "proxy.sock");
  const { story, server } = await serving(
    FILES,
    { CI_SECRET: "the-token" },
    {
      sharesProcess: false,
      env: { MILLRACE_PROXY_SOCKET: socketPath, MILLRACE_FAILED_AUTH_PER_MINUTE: "2", ...env },
    },
  );
  const { url } = await story.webhook("ci");
  const deliver = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const options = { socketPath, path: new URL(url).pathname, method: "POST", headers };
      request(options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end("{}");
    });
  const from = (address: string, token: string) =>
    deliver({ authorization: `Bearer ${token}`, "x-forwarded-for": `6.6.6.6, ${address}` });
  return { server, story, url, socketPath, deliver, from };
}

describe("over the socket for proxies", () => {
  test("a proxy is believed who sent a request, and each sender has a budget of its own", async () => {
    const { from, server } = await stage();
    for (let n = 0; n < 2; n += 1) expect(await from("198.51.100.1", "wrong")).toBe(401);
    expect(await from("198.51.100.1", "the-token")).toBe(429);
    expect(await from("198.51.100.2", "the-token")).toBe(202);
    expect(server.log()).not.toContain("which is ignored");
  });

  test("a request that names no sender is answered too", async () => {
    const { deliver } = await stage();
    expect(await deliver({ authorization: "Bearer the-token" })).toBe(202);
  });

  test("what an agent says on a loopback address counts for nothing", async () => {
    const { story, url } = await stage();
    const claim = { "x-forwarded-for": "198.51.100.1" };
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push((await story.deliver(url, "wrong", "{}", claim)).status);
    expect(answers).toEqual([401, 401, 429]);
  });

  test("only its owner and group may connect, and a socket that a crash has left is replaced", async () => {
    const { socketPath, server } = await stage();
    expect(statSync(socketPath).mode & 0o777).toBe(0o660);
    await server.kill();
    expect(statSync(socketPath).isSocket()).toBe(true);
    const again = await stage({ MILLRACE_PROXY_SOCKET: socketPath });
    expect((await again.server.fetch("/healthz")).status).toBe(200);
    expect(statSync(socketPath).mode & 0o777).toBe(0o660);
  });
});

describe("a server", () => {
  const source = () => folderWith(FACTORY);

  test.each(["127.0.0.1", "127.0.0.0/8", "0.0.0.0/0", "::1", "127.9.9.9/32"])(
    "whose agents share its network does not trust the proxy %s",
    async (proxy) => {
      const { code, said } = await failToStart([source()], {
        MILLRACE_TRUST_PROXY: proxy,
        MILLRACE_SANDBOX: "none",
        MILLRACE_DATA_DIR: join(temporaryFolder(), "data"),
      });
      expect(code).not.toBe(0);
      expect(said).toContain(`MILLRACE_TRUST_PROXY contains the loopback address ${proxy}`);
      expect(said).toContain("MILLRACE_PROXY_SOCKET=");
    },
  );

  test("does not replace a file that is not a socket", async () => {
    const path = join(temporaryFolder(), "proxy.sock");
    writeFileSync(path, "mine");
    const { said } = await failToStart([source()], {
      MILLRACE_PROXY_SOCKET: path,
      MILLRACE_SANDBOX: "none",
      MILLRACE_DATA_DIR: join(temporaryFolder(), "data"),
    });
    expect(said).toContain(`Cannot listen on ${path}`);
    expect(statSync(path).isFile()).toBe(true);
  });
});

const TOKEN = "the-token";

/** One byte, again and again, with a pause before each. */
const drip = (text: string, pauseMs: number) => [...text].flatMap((character) => [pauseMs, character]);

test("a sender that drips its headers or its body is cut off, and the others are served in the meantime", async () => {
  const { story } = await serving({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK }, { CI_SECRET: TOKEN });
  const { url, uid } = await story.webhook("ci");
  const head = rawPost(url, { authorization: `Bearer ${TOKEN}`, "content-length": "100000" });
  const slow = [
    ...Array.from({ length: 20 }, () =>
      sendRaw(url, drip("POST /webhooks/w/abcdef", 1_000), { waitMs: 20_000 }),
    ),
    ...Array.from({ length: 20 }, () =>
      sendRaw(url, [head, ...drip("x".repeat(34), 1_000)], { waitMs: 20_000 }),
    ),
  ];
  expect(await story.accept(url, TOKEN, '{"meanwhile":1}')).toMatch(/^[0-9a-f-]{36}$/);
  const ended = await Promise.all(slow);
  for (const { closed, statuses } of ended) {
    expect(closed).toBe(true);
    expect(statuses.every((status) => status === 408)).toBe(true);
  }
  expect(await story.deliveries(uid)).toHaveLength(1);
});

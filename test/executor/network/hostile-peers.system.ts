import { once } from "node:events";
import { utimesSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import { resolveInTurn } from "../../../src/executor/network/proxy/connector.ts";
import { openRunProxy, type ProxySpec } from "../../../src/executor/network/proxy/run-proxy.ts";
import { contextTrusting } from "../../../src/executor/network/proxy/secure-forwarding.ts";
import type { NetworkPolicy } from "../../../src/runs/turn/network-policy.ts";
import { onFinished } from "../../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A host that answers every request with these bytes. */
const hostSaying = (answer: string) =>
  listening(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answer));
    }),
  );

/** A proxy in this process, and a way to send it bytes. */
async function aProxy(policy: NetworkPolicy, more: Partial<ProxySpec> = {}) {
  const folder = temporaryFolder();
  const place = {
    socat: "socat",
    folder,
    name: "p",
    apiUrl: "http://127.0.0.1:1",
    injections: [],
    endpoints: [],
  };
  const proxy = await openRunProxy({ ...place, policy, ...more }, () => {});
  onFinished(proxy.close);
  /** @returns what came until that is what is waited for, or the connection was closed */
  async function say(bytes: string, isDone = (_said: string) => false): Promise<string> {
    const socket = connect(join(folder, "p.sock"));
    let said = "";
    const done = new Promise<void>((resolve) => {
      socket.on("data", (part) => {
        said += part.toString("latin1");
        if (isDone(said)) resolve();
      });
      socket.once("close", () => resolve());
    });
    socket.on("error", () => {});
    socket.write(Buffer.from(bytes, "latin1"));
    await done;
    socket.destroy();
    return said;
  }
  return { proxy, say };
}

const allow = (port: number) => ({ allow: [[`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]] });
const isAnswered = (said: string) => /^HTTP\/1.1 \d+ /.test(said);
const isOk = (said: string) => said.includes("ok");
const get = (port: number) => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;

test.each([
  ["a status below 100", "HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n"],
  ["the status 000", "HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n"],
  ["a status above 999", "HTTP/1.1 1000 X\r\n\r\n"],
  ["a reason with a control character", "HTTP/1.1 200 a\x01b\r\ncontent-length: 0\r\n\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ["no HTTP at all", "\x00\x01\x02"],
  ["a header named __proto__", "HTTP/1.1 200 OK\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n"],
])("a host that answers with %s ends its own request, and not the proxy", async (_, answer) => {
  const port = await hostSaying(answer);
  const { say } = await aProxy(allow(port));
  expect(await say(get(port), isAnswered)).toMatch(/^HTTP\/1.1 (200|502) /);
  const well = await hostSaying("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  const { say: sayAgain } = await aProxy(allow(well));
  expect(await sayAgain(get(well), isOk)).toContain("ok");
});

test("a body is never read as another request, whatever a Connection header names", async () => {
  const seen: string[] = [];
  const api = await listening(
    createHttpServer((request, response) => {
      request.resume();
      request.on("end", () => {
        seen.push(`${request.method} ${request.url}`);
        response.end("answered");
      });
    }) as unknown as Server,
  );
  const { say } = await aProxy(allow(api), { apiUrl: `http://127.0.0.1:${api}` });
  const inner = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const named of ["content-length", "content-length, transfer-encoding", "host"])
    for (const target of ["/api/v1/x", `http://127.0.0.1:${api}/x`])
      await say(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: ${named}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
        isAnswered,
      );
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((line) => line.includes("/metrics"))).toEqual([]);
});

test("requests that are sent before the answer to the first one has come end the connection, and leave nothing open", async () => {
  let open = 0;
  const silent = await listening(
    createServer((socket) => {
      open += 1;
      socket.on("error", () => {});
      socket.once("close", () => {
        open -= 1;
      });
    }),
  );
  const { say, proxy } = await aProxy(allow(silent), { apiUrl: `http://127.0.0.1:${silent}` });
  await say("GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500));
  expect(open).toBeLessThanOrEqual(1);
  proxy.close();
  await expect.poll(() => open).toBe(0);
});

test("a secret that no header can hold ends the request that would have it", async () => {
  const port = await hostSaying("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  const hosts = [`127.0.0.1:${port}`];
  const injections = [{ name: "KEY", placeholder: "placeholder", value: "two\nlines", hosts }];
  const endpoints = [{ name: "e", url: `http://127.0.0.1:${port}` }];
  const { say } = await aProxy(allow(port), { injections, endpoints });
  expect(
    await say("GET /endpoints/e/ HTTP/1.1\r\nHost: x\r\nx-key: placeholder\r\n\r\n", isAnswered),
  ).toMatch(/^HTTP\/1.1 502 /);
});

test("a greeting of TLS that never ends is refused", async () => {
  const port = await hostSaying("");
  const { say, proxy } = await aProxy(allow(port));
  const connecting = `CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`;
  await say(connecting + "\x16\x03\x01\x00\x00".repeat(40_000));
  await say(`${connecting}\x16\x03\x01\x40\x00\x01\x00\xff\xff${"x".repeat(200_000)}`);
  expect(proxy.reaches().refused).toEqual([
    { host: "localhost", port, reason: "host_mismatch", requests: 2 },
  ]);
});

test("SOCKS 5 passes on to a host by its name", async () => {
  const port = await hostSaying("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  const { say } = await aProxy(allow(port));
  const name = `\x05\x01\x00\x05\x01\x00\x03\x09localhost${String.fromCharCode(port >> 8, port & 255)}`;
  expect(await say(`${name}GET / HTTP/1.1\r\nHost: x\r\n\r\n`, isOk)).toContain("ok");
});

test("a run whose names are slow to resolve has two of them resolved at once, and the others in their order", async () => {
  const asked: { host: string; answer(): void }[] = [];
  const resolve = resolveInTurn(
    (host) =>
      new Promise((settle, reject) => {
        const answer = () =>
          host === "b" ? reject(new Error("no such name")) : settle([{ address: host, family: 4 }]);
        asked.push({ host, answer });
      }),
  );
  const found = ["a", "b", "c", "d"].map((host) => resolve(host).catch(() => "none"));
  const hosts = () => asked.map(({ host }) => host);
  expect(hosts()).toEqual(["a", "b"]);
  asked[1]?.answer();
  expect(await found[1]).toBe("none");
  expect(hosts()).toEqual(["a", "b", "c"]);
  for (let at = 0; at < 4; at += 1) {
    asked[at]?.answer();
    await found[at];
  }
  expect(hosts()).toEqual(["a", "b", "c", "d"]);
  expect(await found[3]).toEqual([{ address: "d", family: 4 }]);
});

test("what connections are secured with is made once for a file of authorities, and again when that changes", () => {
  const [certificate = ""] = rootCertificates;
  const file = join(folderWith({ "authorities.pem": certificate }), "authorities.pem");
  const context = contextTrusting(file);
  expect(contextTrusting(file)).toBe(context);
  utimesSync(file, 1, 1);
  expect(contextTrusting(file)).not.toBe(context);
  expect(() => contextTrusting(`${file}.gone`)).toThrow("ENOENT");
});

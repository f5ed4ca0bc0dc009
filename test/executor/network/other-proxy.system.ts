import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRunProxy } from "../../../src/executor/network/proxy/run-proxy.ts";
import { onFinished } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { listening } from "../../given/port.ts";
import { connectProxy } from "../../given/proxies.ts";

/** A host whose name the proxy of a company knows alone, and a run's proxy on a machine that has to use that. */
async function behindCompanyProxy(
  allow: string[] | ((port: number) => string[]),
  noProxy = "",
  password = "secret",
) {
  const host = createServer((_, response) => response.end("answered"));
  const port = await listening(host);
  onFinished(() => {
    host.closeAllConnections();
    host.close();
  });
  const company = await connectProxy("ada", "secret");
  company.ports.set("inside.example.com", port);
  const url = new URL(company.url);
  url.password = password;
  const folder = temporaryFolder();
  const proxy = await openRunProxy(
    {
      ...{ socat: "socat", folder, name: "p", apiUrl: "http://127.0.0.1:1", injections: [], endpoints: [] },
      policy: { allow: [typeof allow === "function" ? allow(port) : allow] },
      proxies: { https_proxy: url.href, http_proxy: url.href, no_proxy: noProxy },
    },
    () => {},
  );
  onFinished(proxy.close);
  /** What comes back through a tunnel for a request to the host, or instead of a tunnel. */
  async function ask(authority: string): Promise<string> {
    const socket = connect(join(folder, "p.sock"));
    let said = "";
    socket.on("data", (bytes) => {
      said += bytes;
      if (said.endsWith("established\r\n\r\n"))
        socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    });
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    await closed;
    return said;
  }
  return { ask, port, asked: company.asked, proxy };
}

test("a host of the list is reached through the proxy that the machine has to use, by its name", async () => {
  const { ask, asked, proxy } = await behindCompanyProxy(["inside.example.com:8443"]);
  expect(await ask("inside.example.com:8443")).toMatch(/ 200 Connection established.*answered/s);
  expect(asked).toEqual(["inside.example.com:8443"]);
  expect(proxy.reaches().reached).toEqual([{ host: "inside.example.com", port: 8443, requests: 1 }]);
});

test("that proxy is asked for no host beyond the list", async () => {
  const { ask, asked, proxy } = await behindCompanyProxy(["inside.example.com", "10.0.0.0/8"]);
  expect(await ask("other.example.com:443")).toMatch(/^HTTP\/1.1 403 /);
  expect(await ask("192.168.0.1:443")).toMatch(/^HTTP\/1.1 403 /);
  expect(asked).toEqual([]);
  expect(proxy.reaches().refused.map(({ host }) => host)).toEqual(["other.example.com", "192.168.0.1"]);
});

test("this machine, and what NO_PROXY names, are reached without it", async () => {
  const own = await behindCompanyProxy((port) => [`127.0.0.1:${port}`]);
  expect(await own.ask(`127.0.0.1:${own.port}`)).toMatch(/ 200 Connection established.*answered/s);
  const listed = await behindCompanyProxy(["inside.example.com:8443"], "example.com");
  expect(await listed.ask("inside.example.com:8443")).toMatch(/^HTTP\/1.1 502 /);
  expect([own.asked, listed.asked]).toEqual([[], []]);
});

test("a proxy that refuses is named as the reason, without its password", async () => {
  const { ask } = await behindCompanyProxy(["inside.example.com:8443"], "", "another-password");
  const said = await ask("inside.example.com:8443");
  expect(said).toMatch(/^HTTP\/1.1 502 .*the proxy answered 407/s);
  expect(said).not.toContain("another-password");
});

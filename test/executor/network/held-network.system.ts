import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { heldSandbox, SERVERS } from "../../given/sandbox-of.ts";

/** A server on the loopback interface of this machine, which answers with what it was asked. */
async function aServer() {
  const server = createServer((request, response) => {
    response.end(`${request.method} ${request.url} for ${request.headers.host}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe.each(SERVERS)("a program in a held network of a server that is %s", (server) => {
  test("reaches a host of its list over HTTP, CONNECT and SOCKS, and nothing else", async () => {
    const port = await aServer();
    const sandbox = await heldSandbox({ allow: [[`127.0.0.1:${port}`]] }, { server });
    const { said, reached, refused } = await sandbox.sh(`
      curl -s http://127.0.0.1:${port}/plain --noproxy ''
      curl -s http://127.0.0.1:${port}/tunnel --noproxy '' --proxytunnel
      curl -s http://127.0.0.1:${port}/socks --noproxy '' --proxy socks5h://127.0.0.1:3128
      curl -s -o /dev/null -w '%{http_code}\\n' http://example.com/
      curl -s --noproxy '*' --max-time 2 http://127.0.0.1:${port}/ || echo "direct: $?"
    `);
    expect(said.split("\n")).toEqual([
      `GET /plain for 127.0.0.1:${port}`,
      `GET /tunnel for 127.0.0.1:${port}`,
      `GET /socks for 127.0.0.1:${port}`,
      "403",
      "direct: 7",
      "",
    ]);
    expect(reached).toEqual([{ host: "127.0.0.1", port, requests: 3 }]);
    expect(refused).toEqual([{ host: "example.com", port: 80, reason: "not_allowed", requests: 1 }]);
  });

  test("finds a loopback address of its list through the proxy by its own environment, and others directly", async () => {
    const port = await aServer();
    const read = "echo $NO_PROXY $no_proxy $npm_config_noproxy";
    const sandbox = await heldSandbox(
      { allow: [[`127.0.0.1:${port}`, "[::1]:1"], [`127.0.0.0/8:${port}`]] },
      { server },
    );
    const { said, reached } = await sandbox.sh(`curl -s http://127.0.0.1:${port}/; ${read}`);
    expect(said).toBe(`GET / for 127.0.0.1:${port}\n${"localhost,::1 ".repeat(3).trim()}\n`);
    expect(reached).toEqual([{ host: "127.0.0.1", port, requests: 1 }]);
    const named = await heldSandbox(
      { allow: [["localhost:1", "0:0:0:0:0:0:0:1", "example.com"]] },
      { server },
    );
    expect((await named.sh(read)).said).toBe("127.0.0.1 127.0.0.1 127.0.0.1\n");
    const other = await heldSandbox({ allow: [["example.com", "10.0.0.0/8"]] }, { server });
    expect((await other.sh(read)).said).toBe(`${"127.0.0.1,localhost,::1 ".repeat(3).trim()}\n`);
  });

  test("reaches the API also where it does not know NO_PROXY, and asks its proxy for it", async () => {
    const port = await aServer();
    const sandbox = await heldSandbox({ allow: [[]] }, { server, apiUrl: `http://127.0.0.1:${port}` });
    const { said } = await sandbox.sh(`
      curl -s http://127.0.0.1:3128/api/v1/agent/runs --noproxy ''
      curl -s -o /dev/null -w '%{http_code}\n' http://127.0.0.1:3128/metrics --noproxy ''
    `);
    expect(said).toBe(`GET /api/v1/agent/runs for 127.0.0.1:${port}\n403\n`);
  });
});

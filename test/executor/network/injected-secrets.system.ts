import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { ownAuthority } from "../../given/own-authority.ts";
import { heldSandbox } from "../../given/sandbox-of.ts";

const SECRET = "sk-the-real-value-1234567890";
const PLACEHOLDER = "millrace-placeholder-0123456789abcdef";

/** A service behind TLS on localhost, which answers with the headers that it was sent. */
async function aService() {
  const authority = ownAuthority();
  const seen: Record<string, unknown>[] = [];
  const server = createServer(authority.certify("localhost"), (request, response) => {
    seen.push({ url: request.url, ...request.headers });
    response.end("answered\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, seen, authorityFile: authority.file };
}

async function aSandbox({ header }: { header?: string } = {}) {
  const service = await aService();
  const { port, authorityFile } = service;
  const hosts = [`localhost:${port}`];
  const injections = [
    { name: "KEY", placeholder: PLACEHOLDER, value: SECRET, hosts, ...(header ? { header } : {}) },
  ];
  const policy = { allow: [[`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]] };
  const endpoints = [{ name: "service", url: `https://localhost:${port}/base` }];
  const sandbox = await heldSandbox(policy, { injections, endpoints, authorityFile });
  return { ...service, sandbox };
}

const CURL = "curl -sS --noproxy '' ";

describe("a secret that is injected", () => {
  test("reaches its host in place of the text that programs have, and nothing else of the sandbox", async () => {
    const { sandbox, port, seen } = await aSandbox();
    const { said, reached } = await sandbox.sh(`
      ${CURL} https://localhost:${port}/a -H 'x-api-key: ${PLACEHOLDER}'
      ${CURL} https://localhost:${port}/b -H 'authorization: Bearer ${PLACEHOLDER}'
      ${CURL} https://localhost:${port}/c -u 'x-access-token:${PLACEHOLDER}'
      ${CURL} https://localhost:${port}/d -H 'x-api-key: another'
      grep -rl '${SECRET}' / --include=environ --include='*.pem' 2>/dev/null
      cat /proc/*/environ 2>/dev/null | grep -c '${SECRET}'
    `);
    expect(said).toBe(`${"answered\n".repeat(4)}0\n`);
    const basic = `Basic ${Buffer.from(`x-access-token:${SECRET}`).toString("base64")}`;
    expect(seen).toMatchObject([
      { url: "/a", "x-api-key": SECRET },
      { url: "/b", authorization: `Bearer ${SECRET}` },
      { url: "/c", authorization: basic },
      { url: "/d", "x-api-key": "another" },
    ]);
    expect(reached).toEqual([{ host: "localhost", port, requests: 4 }]);
  });

  test("with a header goes into that one alone, also where the program sends none", async () => {
    const { sandbox, port, seen } = await aSandbox({ header: "x-api-key" });
    await sandbox.sh(`
      ${CURL} https://localhost:${port}/a
      ${CURL} https://localhost:${port}/b -H 'x-other: ${PLACEHOLDER}'
    `);
    expect(seen).toMatchObject([
      { url: "/a", "x-api-key": SECRET },
      { url: "/b", "x-api-key": SECRET, "x-other": PLACEHOLDER },
    ]);
  });

  test("is used through an endpoint of the proxy without another authority", async () => {
    const { sandbox, seen } = await aSandbox();
    const { said } = await sandbox.sh(
      `unset SSL_CERT_FILE CURL_CA_BUNDLE; curl -sS http://127.0.0.1:3128/endpoints/service/v1/x?y=1 -H 'x-api-key: ${PLACEHOLDER}'`,
    );
    expect(said).toBe("answered\n");
    expect(seen).toMatchObject([{ url: "/base/v1/x?y=1", "x-api-key": SECRET }]);
  });

  test("is not sent on for another host inside of the connection, and that is recorded", async () => {
    const { sandbox, port, seen } = await aSandbox();
    const { said, refused } = await sandbox.sh(`
      ${CURL} -o /dev/null -w '%{http_code}\\n' https://localhost:${port}/ -H 'host: elsewhere.example' -H 'x-api-key: ${PLACEHOLDER}'
      ${CURL} https://elsewhere.example:${port}/ --connect-to elsewhere.example:${port}:localhost:${port} -H 'x-api-key: ${PLACEHOLDER}' 2> /dev/null || echo failed
    `);
    expect(said).toBe("421\nfailed\n");
    expect(seen).toEqual([]);
    expect(refused).toEqual([{ host: "localhost", port, reason: "host_mismatch", requests: 2 }]);
  });

  test("does not come back in the answer to TRACE or TRACK, which are refused and recorded", async () => {
    const { sandbox, port, seen } = await aSandbox();
    const { said, refused } = await sandbox.sh(`
      for method in TRACE TRACK; do
        ${CURL} -o /dev/null -w '%{http_code}\\n' -X $method https://localhost:${port}/ -H 'x-api-key: ${PLACEHOLDER}'
        curl -sS -o /dev/null -w '%{http_code}\\n' -X $method http://127.0.0.1:3128/endpoints/service/v1 -H 'x-api-key: ${PLACEHOLDER}'
        ${CURL} -o /dev/null -w '%{http_code}\\n' -X $method http://localhost:${port}/
      done 2>&1
    `);
    expect(said.split("\n").slice(0, 3)).toEqual(["403", "403", "403"]);
    expect(said).not.toContain("200");
    expect(seen).toEqual([]);
    expect(refused).toContainEqual({ host: "localhost", port, reason: "invalid", requests: 3 });
  });

  test("is used by a program that names no host in its greeting, and not for another host", async () => {
    const { sandbox, port, seen } = await aSandbox();
    const ask = (host: string) =>
      `printf 'GET / HTTP/1.1\\r\\nhost: ${host}\\r\\nx-api-key: ${PLACEHOLDER}\\r\\nconnection: close\\r\\n\\r\\n' |
        openssl s_client -quiet -noservername -proxy 127.0.0.1:3128 -connect localhost:${port} 2> /dev/null | head -n 1`;
    const { said, refused } = await sandbox.sh(`${ask(`localhost:${port}`)}; ${ask("elsewhere.example")}`);
    expect(said.replaceAll("\r", "")).toBe("HTTP/1.1 200 OK\nHTTP/1.1 421 Misdirected Request\n");
    expect(seen).toMatchObject([{ "x-api-key": SECRET }]);
    expect(refused).toEqual([{ host: "localhost", port, reason: "host_mismatch", requests: 1 }]);
  });
});

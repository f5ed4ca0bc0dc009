import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY } from "../given/definition.ts";
import { ownAuthority } from "../given/own-authority.ts";
import { connectProxy } from "../given/proxies.ts";
import { ADMIN_KEY, run } from "../given/server.ts";
import { serving } from "../given/serving.ts";

/** A server that only the proxy of a company knows, and the authority of that company certifies. */
const stage = sharedByFile(async () => {
  const authority = ownAuthority();
  const proxy = await connectProxy("millrace", "p@ss:w/rd");
  const { server } = await serving(FACTORY, {});
  const port = Number(new URL(server.url).port);
  proxy.ports.set("millrace.acme.test", await authority.endTls("millrace.acme.test", port));
  const env = {
    MILLRACE_SERVER: "https://millrace.acme.test",
    MILLRACE_API_KEY: ADMIN_KEY,
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: authority.file,
  };
  const millrace = (args: string[], changes: Record<string, string> = {}) =>
    run(args, { ...env, ...changes });
  return { server, proxy, millrace };
});

describe("a command asks its server through the proxy of its environment", () => {
  test("and gets the answer, with what it sends", async () => {
    const { proxy, millrace } = stage();
    const listed = await millrace(["factories", "list", "--json"]);
    expect(listed).toMatchObject({ code: 0, said: "" });
    expect(JSON.parse(listed.printed)).toMatchObject([{ name: "acme" }]);
    expect((await millrace(["environments", "create", "--name", "tests"])).code).toBe(0);
    expect(new Set(proxy.asked)).toEqual(new Set(["millrace.acme.test:443"]));
  });

  test("reports what the proxy refuses, without the proxy's password", async () => {
    const { proxy, millrace } = stage();
    const HTTPS_PROXY = proxy.url.replace("millrace:", "stranger:");
    const { code, said } = await millrace(["factories", "list"], { HTTPS_PROXY });
    expect(code).not.toBe(0);
    expect(said).toMatch(/407.*HTTPS_PROXY/s);
    expect(said).not.toMatch(/p@ss|p%40ss/);
  });

  test("and not through one that is not a URL", async () => {
    const { said } = await stage().millrace(["factories", "list"], { HTTPS_PROXY: "ftp://a.example" });
    expect(said).toBe(
      "The proxy cannot be used.\n" +
        "The proxy for https://millrace.acme.test in the environment is not an http:// or https:// URL.\n" +
        "Set HTTPS_PROXY to http://HOST:PORT or https://HOST:PORT, or add the host of the server to NO_PROXY.\n",
    );
  });

  test("and reports which variable to correct when the server is asked without TLS", async () => {
    const env = {
      HTTPS_PROXY: "",
      HTTP_PROXY: "socks5://a.example",
      MILLRACE_SERVER: "http://millrace.acme.test",
    };
    const { said } = await stage().millrace(["factories", "list"], env);
    expect(said).toContain("Set HTTP_PROXY to http://HOST:PORT");
  });

  test("and suggests to check the proxy, not the server, when the proxy does not respond", async () => {
    const env = { HTTPS_PROXY: "http://127.0.0.1:1" };
    const { said } = await stage().millrace(["factories", "list"], env);
    expect(said).toMatch(/ECONNREFUSED.*\nCheck HTTPS_PROXY, or add the host of the server to NO_PROXY\.\n$/);
  });

  test("and suggests to check the server when there is no proxy, whatever the server is called", async () => {
    const env = { HTTPS_PROXY: "", MILLRACE_SERVER: "https://proxy.acme.test" };
    const { said } = await stage().millrace(["factories", "list"], env);
    expect(said).toMatch(/Start it with `millrace serve`, or check --server or MILLRACE_SERVER\.\n$/);
  });
});

describe("a command asks its server directly", () => {
  test("when NO_PROXY names it", async () => {
    const { said } = await stage().millrace(["factories", "list"], { NO_PROXY: ".acme.test" });
    expect(said).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  test("when it is on this machine", async () => {
    const { server, proxy, millrace } = stage();
    const asked = proxy.asked.length;
    const { code } = await millrace(["factories", "list"], {
      MILLRACE_SERVER: server.url,
      HTTP_PROXY: proxy.url,
    });
    expect([code, proxy.asked.length]).toEqual([0, asked]);
  });
});

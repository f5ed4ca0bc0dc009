import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { withProxyWarning } from "../../src/server/http/trusted-proxies.ts";
import { onFinished } from "../given/cleanup.ts";
import { post } from "../given/sender.ts";
import { authorized, openIngress } from "../given/serving.ts";

const WARNING = /X-Forwarded-For header, which is ignored/g;
const forwarded = { ...authorized, "x-forwarded-for": "203.0.113.7" };

test("a proxy that is not trusted is warned of once, with what to set", async () => {
  const { server, url } = await openIngress();
  await post(url, "{}", authorized);
  expect(server.log()).not.toMatch(WARNING);
  for (const n of [1, 2, 3]) await post(url, `{"n":${n}}`, forwarded);
  expect(server.log().match(WARNING)).toHaveLength(1);
  expect(server.log()).toContain("MILLRACE_TRUST_PROXY");
});

test("a proxy that is trusted is not warned of", async () => {
  const warnings: unknown[] = [];
  const note = (...told: unknown[]) => void warnings.push(told);
  const log = { debug: note, info: note, warn: note, error: note };
  const address = async (trustProxy: string[]) => {
    const server = createServer(withProxyWarning((_, response) => response.end("{}"), { trustProxy, log }));
    onFinished(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  await post(await address(["127.0.0.0/8"]), "{}", forwarded);
  expect(warnings).toEqual([]);
  await post(await address(["198.51.100.0/24"]), "{}", forwarded);
  expect(warnings).toHaveLength(1);
});

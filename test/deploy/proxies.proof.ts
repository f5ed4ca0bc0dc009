import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { parseDuration } from "../../src/time/duration.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { ADMIN_KEY, startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { openThrough, PROXIES, type ProxyName, startTlsProxy, through } from "../given/tls-proxy.ts";

const TOKEN = "the-token";
const FAILURES = 3;
const KEY = { authorization: `Bearer ${ADMIN_KEY}` };
const SENDER = { authorization: `Bearer ${TOKEN}` };
const STRANGER = { authorization: "Bearer wrong" };

/** A server behind a proxy. @param changes what the proxy's file says, and what it is to say */
async function behind(name: ProxyName, env: Record<string, string>, changes: [string, string][] = []) {
  const [port, own] = [await freePort(), `127.0.0.1:${await freePort()}`];
  const publicUrl = `https://millrace.example.com:${port}`;
  const socket = join(temporaryFolder("millrace-proxied"), "proxy.sock");
  const server = await startServer({
    sources: [folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })],
    env: { MILLRACE_LISTEN: own, MILLRACE_PUBLIC_URL: publicUrl, MILLRACE_PROXY_SOCKET: socket, ...env },
    reachedAt: `http://${own}`,
  });
  // The workers of a proxy that is started by root are somebody else, who has no group in common with the tests.
  chmodSync(dirname(socket), 0o755);
  chmodSync(socket, 0o666);
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  await startTlsProxy(name, port, socket, changes);
  return { story, port, publicUrl, uid, url, path: new URL(url).pathname };
}

describe.each(PROXIES)("behind %s, configured as deploy/ has it", (name) => {
  const shared = sharedByFile(() => behind(name, { MILLRACE_FAILED_AUTH_PER_MINUTE: String(FAILURES) }));

  test("a delivery is accepted at the address that the server prints, and the dashboard is served", async () => {
    const { port, publicUrl, url, path } = shared();
    expect(url).toBe(publicUrl + path);
    expect((await through(port, "POST", path, { headers: SENDER, body: "[1]" })).status).toBe(202);
    const page = await through(port, "GET", "/", { headers: { accept: "text/html" } });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await through(port, "GET", "/metrics")).status).toBe(401);
  });

  test("a body that is too large is refused by millrace, which records it", async () => {
    const { story, port, path, uid } = shared();
    for (const bytes of [300_000, 5_000_000]) {
      const body = JSON.stringify("x".repeat(bytes));
      const refused = await through(port, "POST", path, { headers: SENDER, body });
      expect([refused.status, refused.headers["content-type"]]).toEqual([413, "application/problem+json"]);
    }
    const outcomes = (await story.deliveries(uid)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "Rejected (too large)")).toHaveLength(2);
  });

  test("failures are counted by the address of who sends, whatever that claims", async () => {
    const { port, path } = shared();
    const fail = (from: string, forwarded: Record<string, string> = {}) =>
      through(port, "POST", path, { from, headers: { ...STRANGER, ...forwarded }, body: "1" });
    for (let n = 0; n < FAILURES; n += 1) expect((await fail("127.0.0.2")).status).toBe(401);
    const claims = { "x-forwarded-for": "198.51.100.7", forwarded: "for=198.51.100.7" };
    expect((await fail("127.0.0.2", claims)).status).toBe(429);
    expect((await fail("127.0.0.3")).status).toBe(401);
    expect(
      (await through(port, "POST", path, { from: "127.0.0.4", headers: SENDER, body: "[2]" })).status,
    ).toBe(202);
  });

  test("an event arrives while its stream is open", async () => {
    const { story, port, path } = shared();
    const stream = await openThrough(port, "GET", "/api/v1/events", { headers: KEY });
    let heard = "";
    stream.on("data", (text: Buffer) => {
      heard += text;
    });
    await through(port, "POST", path, { headers: SENDER, body: '["an event"]' });
    await expect.poll(() => heard, { timeout: 10_000 }).toContain("delivery");
    stream.destroy();
    expect((await story.factory()).name).toBe("acme");
  });
});

/** What the proxy's file says of idle connections; the tests make it and the server's time short, in the same order. */
const IDLE = { nginx: "keepalive_timeout 60s", caddy: "keepalive 60s" } as const;
const SENDERS = 100;
const DELIVERIES = 20;

describe.each(PROXIES)("%s keeps idle connections", (name) => {
  test("for less time than the server does unless its settings say otherwise", () => {
    const seconds = Number(/(\d+)s$/.exec(IDLE[name])?.[1]);
    expect(parseDuration(settings.keepAlive.fallback, ["s"])).toBeGreaterThan(seconds * 1_000);
  });

  test("and no delivery is lost that comes when they end, of two thousand", async () => {
    const env = { MILLRACE_KEEP_ALIVE: "1500ms", MILLRACE_DELIVERIES_PER_MINUTE: "100000" };
    const { port, path } = await behind(name, env, [[IDLE[name], IDLE[name].replace("60s", "1s")]]);
    const sender = async (_: unknown, one: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < DELIVERIES; n += 1) {
        // From before the time of the proxy to after that of the server.
        await sleep(850 + 800 * ((one * 0.618 + n * 0.382) % 1));
        const sent = { headers: SENDER, body: JSON.stringify({ one, n }) };
        statuses.push((await through(port, "POST", path, sent)).status);
      }
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: SENDERS }, sender))).flat();
    expect(statuses.filter((status) => status !== 202)).toEqual([]);
    expect(statuses).toHaveLength(SENDERS * DELIVERIES);
  });
});

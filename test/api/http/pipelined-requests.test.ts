import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { acmeServer } from "../../given/ask.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { sendRaw } from "../../given/raw-http.ts";
import type { Server } from "../../given/server.ts";

const stage = sharedByFile(() => acmeServer({ sharesProcess: false }));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`;
/** The largest answer that needs no key: some 160 KB for a request of 60 bytes. */
const LARGE = get("/api/v1/openapi.json");

/** A connection that sends requests and reads no answer. */
async function unread({ url }: Server, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.pause();
  socket.write(text);
  return socket;
}

function memoryOf({ pid }: Server): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

describe("requests that one connection sends before it has its answers", () => {
  test("do not make the server hold their answers, nor keep others waiting", async () => {
    const server = stage();
    await server.fetch("/api/v1/openapi.json");
    const before = memoryOf(server);
    await Promise.all(Array.from({ length: 8 }, () => unread(server, LARGE.repeat(500))));
    await sleep(200);
    const began = performance.now();
    expect((await server.fetch("/healthz")).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((memoryOf(server) - before) / 1024 / 1024).toBeLessThan(150);
  });

  test("are answered in their order when there are a few", async () => {
    const { url } = stage();
    const text = [get("/healthz"), get("/api/v1/none"), LARGE, get("/healthz")].join("");
    expect((await sendRaw(url, [text], { answers: 4 })).statuses).toEqual([200, 404, 200, 200]);
  });

  test("are all answered also when there are more than any client sends", async () => {
    const { url } = stage();
    const answer = await sendRaw(url, [get("/healthz").repeat(1_000)], { answers: 1_000 });
    expect(answer).toMatchObject({ closed: false, statuses: Array(1_000).fill(200) });
  });
});

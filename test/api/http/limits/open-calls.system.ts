import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createOpenCalls } from "../../../../src/api/http/open-calls.ts";
import { serverWithAgent, serverWithTokenOfRun } from "../../../given/agent.ts";
import { acmeServer, ask } from "../../../given/ask.ts";
import { onFinished } from "../../../given/cleanup.ts";
import { ADMIN_KEY, type Server, waitFor } from "../../../given/server.ts";

const MAX_OF_RUN = 32;

/** More than the buffers of both kernels take. */
const LEAVES_LARGE_FILE = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts", { recursive: true });
  writeFileSync("artifacts/large", Buffer.alloc(16 * 1024 * 1024));`;

/** Opens the transcript of a run as a stream that stays open, by a connection of its own. */
async function openStream({ url }: Server, runId: string, key: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => {});
  const path = `/api/v1/agent/runs/${runId}/transcript?follow=true`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${key}\r\n\r\n`);
  const [answer] = await once(socket, "data");
  return { socket, status: Number(String(answer).slice(9, 12)) };
}

const openStreams = (server: Server, runId: string, key: string) =>
  Promise.all(Array.from({ length: MAX_OF_RUN }, () => openStream(server, runId, key)));

describe("calls that are open at the same time", () => {
  test("are limited for the token of a run; another call gets 429, until one of them ends", async () => {
    const { server, id, key } = await serverWithTokenOfRun();
    const streams = await openStreams(server, id, key);
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await ask(server, "GET", `/agent/runs/${id}`, { key });
    expect(refused.body).toMatchObject({
      status: 429,
      detail: `The token of run ${id} has ${MAX_OF_RUN} open calls, which is the limit.`,
      remedy: "Close streams and long polls that are no longer needed, then retry.",
    });
    expect((await ask(server, "GET", `/agent/runs/${id}`)).status).toBe(200);
  });

  test("count until their answer has been written or their connection has ended", async () => {
    const { server, id, key } = await serverWithTokenOfRun();
    for (let n = 0; n < 2 * MAX_OF_RUN; n += 1)
      expect((await ask(server, "GET", `/agent/runs/${id}`, { key })).status).toBe(200);
    for (const { socket } of await openStreams(server, id, key)) socket.destroy();
    await waitFor(
      async () => (await ask(server, "GET", `/agent/runs/${id}`, { key })).status === 200 || undefined,
    );
  });

  test("are limited for each file that is downloaded by its links, which need no key", async () => {
    const { server, run } = await serverWithAgent(LEAVES_LARGE_FILE);
    const { artifacts } = await run();
    const path = `/agent/artifacts/${artifacts?.[0]?.data.artifact_uid}`;
    const { data } = await server.api<{ data: { download_url: string } }>("GET", path);
    const stop = new AbortController();
    onFinished(() => stop.abort());
    const download = () => fetch(data.download_url, { signal: stop.signal });
    const answers = await Promise.all(Array.from({ length: MAX_OF_RUN + 1 }, download));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(MAX_OF_RUN).fill(200), 429]);
  });

  test("are limited for each key by itself", () => {
    const calls = createOpenCalls({ perKey: 2, perRun: 1 });
    const [one, other] = ["key-1", "key-2"].map((id) => ({ kind: "key" as const, key: { id, name: id } }));
    if (!one || !other) throw new Error("There are two.");
    const responses = Array.from({ length: 2 }, () => Object.assign(new EventEmitter(), { closed: false }));
    for (const response of responses) calls.open(one, response as never);
    const next = Object.assign(new EventEmitter(), { closed: false }) as never;
    expect(() => calls.open(one, next)).toThrow('The key "key-1" has 2 open calls, which is the limit.');
    calls.open(other, next);
    responses[0]?.emit("close");
    calls.open(one, { closed: true, once: () => {} } as never);
    calls.open(one, next);
    expect(() => calls.open(one, next)).toThrow(/has 2 open calls/);
  });

  test("take no more than a quarter of few connections for each caller, and leave a quarter to deliveries", () => {
    const calls = createOpenCalls({ connections: 16 });
    const opened = ["key-1", "key-2", "key-3"].map((id) =>
      Array.from({ length: 4 }, () => {
        const response = Object.assign(new EventEmitter(), { closed: false });
        calls.open({ kind: "key", key: { id, name: id } }, response as never);
        return response;
      }),
    );
    const next = Object.assign(new EventEmitter(), { closed: false }) as never;
    expect(() => calls.open({ kind: "key", key: { id: "key-1", name: "one" } }, next)).toThrow(
      'The key "one" has 4 open calls, which is the limit.',
    );
    const run = { kind: "run" as const, run: { id: "run-1" } };
    expect(() => calls.open(run, next)).toThrow(/^The server has 12 open calls, which is the limit/);
    opened[0]?.[0]?.emit("close");
    calls.open(run, next);
  });

  test("of one key do not keep deliveries out where few files may be open", async () => {
    // Of 512 files, a quarter is for connections.
    const server = await acmeServer({
      sharesProcess: false,
      wrapper: ["sh", "-c", 'ulimit -n 512; exec "$@"', "sh"],
    });
    const { port, hostname } = new URL(server.url);
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async () => {
        const socket = connect(Number(port), hostname);
        onFinished(() => {
          socket.destroy();
        });
        socket.on("error", () => {});
        socket.write(
          `GET /api/v1/events HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${ADMIN_KEY}\r\n\r\n`,
        );
        const [answer] = await once(socket, "data");
        return Number(String(answer).slice(9, 12));
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
    expect(statuses.filter((status) => status === 429)).toHaveLength(88);
    expect((await server.fetch("/webhooks/none", { method: "POST" })).status).toBe(404);
  });
});

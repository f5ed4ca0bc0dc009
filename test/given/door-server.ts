import { randomUUID } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onFinished } from "./cleanup.ts";

export type Body = {
  waitMs: number;
  turns?: { id: string }[];
  /** Of a call. */
  call?: string;
  turn?: { id: string };
  parameters?: Record<string, unknown>;
};

/** A server that answers a worker as a test likes, and notes what it was asked. */
export async function doorServer(answer: (path: string, body: Body) => unknown) {
  const asked: { path: string; body: Body }[] = [];
  const http: Server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const path = (request.url ?? "").replace("/api/v1/workers/door/", "");
    const body = JSON.parse(text || "{}") as Body;
    asked.push({ path, body });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(await answer(path, body)));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, api: async () => ({}) as never };
}

export const idle = { leaseMs: 60_000, isDraining: false, turns: [] };

/** A turn as a server gives it. */
export const aTurn = (run: object = {}, changes: object = {}) => ({
  run: {
    ...{
      id: randomUUID(),
      turn: 1,
      startedAt: null,
      config: {},
      prompt: "Work.",
      title: "",
      factoryUid: null,
    },
    execution: { harness: { type: "oz" }, secrets: [] },
    executor: { displayName: "someone" },
    ...{ ancestors: [], metadata: {}, source: "API" },
    ...run,
  },
  ...{ ticket: 1, repositories: [], repositoriesOf: "factory", repositoriesAreOptional: false },
  ...{ setupCommands: [], machine: {}, secrets: [], runToken: "token", hidden: [], notes: [] },
  ...{ lastSeq: 0, timeoutMs: 60_000 },
  ...changes,
});

export interface DoorRequest {
  /** `claim`, `beat` or `call`. */
  path: string;
  body: { call?: string; parameters?: unknown };
}

/** A server for workers that answers each request as the test says. */
export async function doorStandIn(answer: (request: DoorRequest, response: ServerResponse) => void) {
  const asked: DoorRequest[] = [];
  const http = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const path = (request.url ?? "").replace("/api/v1/workers/door/", "");
    const asking = { path, body: JSON.parse(text || "{}") };
    asked.push(asking);
    response.setHeader("content-type", "application/json");
    answer(asking, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}` };
}

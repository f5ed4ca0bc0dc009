import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import {
  createDoorClient,
  ServerBroken,
  ServerUnreachable,
} from "../../../src/executor/worker/door-client.ts";
import { remoteDoor } from "../../../src/executor/worker/remote-door.ts";
import { type DoorRequest, doorStandIn } from "../../given/door-server.ts";
import { waitFor } from "../../given/server.ts";
import { someFacts } from "../../given/workers.ts";

const FAILING_MS = 400;
const TURN = { id: "01a1fe22-6744-70ce-94a0-348515e54587", ticket: 1 };
const BEAT = { leaseMs: 60_000, isDraining: false, turns: [] };
const forever = new AbortController().signal;

/** A worker's side of a connection with a server that answers like this. */
async function connected(answer: (request: DoorRequest, response: ServerResponse) => void) {
  const server = await doorStandIn(answer);
  const unreachable: string[] = [];
  const client = createDoorClient({
    ...{ server: server.url, token: "mrw_x", process: "p-1", failingMs: FAILING_MS },
    onReachable() {},
    onUnreachable: (reason) => unreachable.push(reason),
  });
  const beat = () =>
    client.beat({ facts: someFacts(), turns: [], isDraining: false, waitMs: 0 }, 5_000, forever);
  return { ...server, client, beat, unreachable };
}

/** Says that something went wrong in the server. */
const fails = (response: ServerResponse) => {
  response.statusCode = 500;
  response.end(JSON.stringify({ status: 500, detail: "Internal error." }));
};

/** Beats again and again while something is done. */
async function beating<Value>(beat: () => Promise<unknown>, work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const end = Promise.allSettled([work]).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await beat().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await end;
  return work;
}

describe("a call that is always answered with an internal error", () => {
  test("is given up after a while, if the server carries out other requests", async () => {
    const { client, beat, asked, unreachable } = await connected(({ path }, response) =>
      path === "beat" ? response.end(JSON.stringify(BEAT)) : fails(response),
    );
    const call = client.call(TURN, "append", {}, forever);
    await expect(beating(beat, call)).rejects.toThrow(ServerBroken);
    expect(asked.filter(({ path }) => path === "call").length).toBeGreaterThan(1);
    expect(unreachable).toEqual([]);
  });

  test("is made again for as long as the server carries out nothing, and answered when it is back", async () => {
    let isBroken = true;
    const { client, beat, asked, unreachable } = await connected(({ path }, response) => {
      if (isBroken) fails(response);
      else response.end(JSON.stringify(path === "beat" ? BEAT : { result: 7 }));
    });
    const begun = performance.now();
    const call = client.call(TURN, "append", {}, forever);
    await expect(beat()).rejects.toThrow(ServerUnreachable);
    await waitFor(() => performance.now() - begun > 2 * FAILING_MS || undefined);
    const before = asked.length;
    await waitFor(() => asked.length > before || undefined);
    isBroken = false;
    expect(await call).toBe(7);
    expect(unreachable).toEqual(["it answered with an internal error"]);
  });
});

test("the end of a turn that the server could not carry through is told once, as an ERROR that names the call", async () => {
  const { client, beat, asked } = await connected(({ path, body }, response) => {
    if (path === "beat") response.end(JSON.stringify(BEAT));
    else if (body.call === "append") fails(response);
    else response.end("{}");
  });
  const told: string[] = [];
  const door = aDoor(client, told);
  await expect(beating(beat, door.append([]))).rejects.toThrow(ServerBroken);
  // It is not tried for as long again.
  await expect(door.append([])).rejects.toThrow(ServerBroken);
  await door.finish({ state: "SUCCEEDED", exitCode: 0, statusMessage: null });
  await door.finishBroken();
  const ends = asked.filter(({ body }) => body.call === "finish").map(({ body }) => body.parameters);
  expect(ends).toMatchObject([{ ending: { state: "ERROR", isUnstarted: true } }]);
  expect(JSON.stringify(ends)).toContain("could not carry out the call append of its worker");
  expect(told).toEqual(["broken append"]);
});

test("a turn that an earlier process has begun has started, however the server fails", async () => {
  const { client, beat, asked } = await connected(({ path, body }, response) => {
    if (path === "beat") response.end(JSON.stringify(BEAT));
    else if (body.call === "append") fails(response);
    else response.end("{}");
  });
  const door = aDoor(client, [], true);
  await expect(beating(beat, door.append([]))).rejects.toThrow(ServerBroken);
  await door.finishBroken();
  const ends = asked.filter(({ body }) => body.call === "finish").map(({ body }) => body.parameters);
  expect(ends).toMatchObject([{ ending: { state: "ERROR" } }]);
  expect(JSON.stringify(ends)).not.toContain("isUnstarted");
});

test("the server is told only what it does not hide already, and nothing of a turn that is lost", async () => {
  const { client, asked } = await connected(({ body }, response) => {
    if (body.call === "append") response.statusCode = 409;
    response.end(body.call === "append" ? JSON.stringify({ detail: "Not this worker's." }) : '{"result":1}');
  });
  const told: string[] = [];
  const door = aDoor(client, told);
  await door.hide(["known"]);
  await door.hide(["known", "key"]);
  await door.append([]);
  await door.append([]);
  expect(asked.map(({ body }) => body.call)).toEqual(["hide", "append"]);
  expect(told).toEqual(["lost"]);
});

test("a turn whose end cannot be told is let go", async () => {
  const { client, beat } = await connected(({ path }, response) =>
    path === "beat" ? response.end(JSON.stringify(BEAT)) : fails(response),
  );
  const told: string[] = [];
  const door = aDoor(client, told);
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
  await beating(beat, door.finish(ending));
  expect(told).toEqual(["broken finish", "lost"]);
});

describe("an answer that does not end", () => {
  test("is not kept: the call ends, and the connection is closed", async () => {
    let sent = 0;
    const { client } = await connected((_, response) =>
      pour(response, (bytes) => {
        sent += bytes;
      }),
    );
    await expect(client.call(TURN, "findSkills", {}, forever)).rejects.toThrow("larger than 67108864 bytes");
    const after = sent;
    expect(after).toBeLessThan(200 * 1024 * 1024);
    expect(process.memoryUsage().rss).toBeLessThan(2 * 1024 ** 3);
  });

  test("is no answer to a beat, nor an error", async () => {
    const { client, beat } = await connected(({ path }, response) => {
      if (path === "call") response.statusCode = 409;
      pour(response, () => {});
    });
    await expect(beat()).rejects.toThrow("larger than 2097152 bytes");
    await expect(client.call(TURN, "findSkills", {}, forever)).rejects.toThrow("larger than 262144 bytes");
  });
});

test("a server that wants to be asked later says so with Retry-After", async () => {
  const { beat } = await connected((_, response) => {
    response.statusCode = 429;
    response.setHeader("retry-after", "5");
    response.end("{}");
  });
  await expect(beat()).rejects.toMatchObject({ name: "ServerUnreachable", retryAfterMs: 5_000 });
});

function aDoor(client: ReturnType<typeof createDoorClient>, told: string[], isStarted = false) {
  const over = new AbortController();
  return remoteDoor({
    ...{ client, turn: TURN, artifacts: "/nowhere", hidden: ["known"], isStarted },
    ...{ over: over.signal, onForgotten: () => {} },
    onLost() {
      told.push("lost");
      over.abort();
    },
    onBroken: (call) => told.push(`broken ${call}`),
  });
}

/** Sends bytes for as long as somebody takes them. */
function pour(response: ServerResponse, onSent: (bytes: number) => void): void {
  const piece = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(piece)) onSent(piece.length);
  };
  response.on("drain", more);
  more();
}

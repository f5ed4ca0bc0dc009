import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { artifactsOf, textOf } from "../../given/artifact-places.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";
import { doorClient, workerTurn } from "../../given/workers.ts";

const shared = sharedByFile(async () => serverWithAgent("process.exit(0)"));

async function aTurn() {
  const { server } = shared();
  return { server, ...(await workerTurn(server)) };
}

const chunk = (text: string, changes: object = {}) => ({
  ...{ seq: 1, turn: 1, stream: "stdout", at: new Date().toISOString() },
  bytes: { $base64: Buffer.from(text).toString("base64") },
  ...changes,
});

async function transcriptOf(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  return (await shared().server.fetch(`/api/v1/agent/runs/${id}/transcript`, { headers })).text();
}

test("a piece of output that is told again because its answer was lost is stored once", async () => {
  const { worker, turn } = await aTurn();
  expect(await worker.call(turn, "append", { chunks: [chunk("once\n")] })).toMatchObject({ status: 200 });
  const again = [chunk("once\n"), chunk("then\n", { seq: 2 })];
  expect(await worker.call(turn, "append", { chunks: again })).toMatchObject({ status: 200 });
  const transcript = await transcriptOf(turn.id);
  expect(transcript.split("once")).toHaveLength(2);
  expect(transcript).toContain("then");
});

test("a worker adds to the transcript of the turn that it has, and to no other turn", async () => {
  const { worker, turn } = await aTurn();
  const forged = await worker.call(turn, "append", { chunks: [chunk("forged\n", { turn: 2 })] });
  expect(forged.status).toBe(400);
  expect((await worker.call(turn, "append", { chunks: [chunk("x", { seq: 1e300 })] })).status).toBe(400);
  expect(await transcriptOf(turn.id)).not.toContain("forged");
});

test("the usage of a turn is no less than nothing", async () => {
  const { worker, turn } = await aTurn();
  const usage = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: -5 };
  expect((await worker.call(turn, "keepUsage", { usage: [usage] })).status).toBe(400);
});

test("what a worker says is to be hidden comes to what the server hides, and is not without end", async () => {
  const { worker, turn, runToken } = await aTurn();
  expect((await worker.call(turn, "hide", { values: [] })).status).toBe(200);
  await worker.call(turn, "append", { chunks: [chunk(`my token is ${runToken}\n`)] });
  expect(await transcriptOf(turn.id)).toContain("my token is ");
  expect(await transcriptOf(turn.id)).not.toContain(runToken);
  const many = Array.from({ length: 10_000 }, () => randomUUID());
  expect((await worker.call(turn, "hide", { values: many })).status).toBe(400);
  expect((await worker.call(turn, "hide", { values: ["a".repeat(1_000_000)] })).status).toBe(400);
  const statuses = [];
  for (let round = 0; round < 20; round += 1)
    statuses.push((await worker.call(turn, "hide", { values: [randomUUID()] })).status);
  expect(statuses.at(0)).toBe(200);
  expect(statuses.at(-1)).toBe(400);
});

test("a file that is listed stays as it is, whatever is sent under its id", async () => {
  const { server, worker, turn } = await aTurn();
  const id = randomUUID();
  const sha256 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"; // of "x"
  await worker.upload(turn, id, "x");
  const file = { id, path: "result.txt", size: 1, sha256, holdsSecret: false };
  expect((await worker.call(turn, "addFile", { file })).status).toBe(200);
  expect((await worker.upload(turn, id, "y")).status).toBe(400);
  expect(await textOf(await artifactsOf(server), { runId: turn.id, fileId: id })).toBe("x");
});

test("a worker that names the turn of another one takes nothing from that", async () => {
  const victim = await aTurn();
  await victim.worker.call(victim.turn, "session.open", {});
  const other = await doorClient(victim.server);
  const named = { ...victim.turn, isCancelled: false, news: "" };
  expect((await other.beat([named])).body.turns).toEqual([]);
  expect((await other.beat([{ ...named, ticket: 99 }])).body.turns).toEqual([]);
  const { body } = await victim.worker.beat([named]);
  expect(body.turns).toMatchObject([{ id: victim.turn.id, isForgotten: false }]);
});

test("a turn that is named many times in one beat is one turn, and ten thousand names are not read", async () => {
  const { worker, turn } = await aTurn();
  const named = { ...turn, isCancelled: false, news: "" };
  const { status, body } = await worker.beat(Array(20).fill(named));
  expect(status).toBe(200);
  expect(body.turns).toHaveLength(1);
  expect((await worker.beat(Array(10_000).fill(named))).status).toBe(413);
  expect((await worker.beat([named])).body.turns).toHaveLength(1);
});

test("a file that is still coming when its turn ends is not kept", async () => {
  const { server, worker, turn } = await aTurn();
  const id = randomUUID();
  let send: (text: string) => void = () => {};
  let end = () => {};
  const body = new ReadableStream({
    start(controller) {
      send = (text) => controller.enqueue(Buffer.from(text));
      end = () => controller.close();
    },
  });
  send("half");
  const uploading = fetch(
    `${server.url}/api/v1/workers/door/files/${turn.id}/${turn.ticket}/${id}?process=${worker.process}`,
    {
      method: "PUT",
      headers: { authorization: `Bearer ${worker.token}` },
      body,
      duplex: "half",
    } as RequestInit,
  );
  const artifacts = await artifactsOf(server);
  await waitFor(async () => (await artifacts.list(turn.id)).length > 0);
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  await worker.call(turn, "finish", { ending });
  send("whole");
  end();
  expect((await uploading).status).toBe(409);
  expect(await artifacts.list(turn.id)).toEqual([]);
});

test("a large file comes in pieces, each of which can be sent again", async () => {
  const { server, worker, turn } = await aTurn();
  const id = randomUUID();
  const put = async (query: string, body: string) =>
    (
      await fetch(
        `${server.url}/api/v1/workers/door/files/${turn.id}/${turn.ticket}/${id}?process=${worker.process}&${query}`,
        { method: "PUT", headers: { authorization: `Bearer ${worker.token}` }, body },
      )
    ).status;
  expect(await put("offset=4", "late")).toBe(400);
  expect(await put("offset=0&more=1", "onex")).toBe(200);
  expect(await put("offset=0&more=1", "one ")).toBe(200);
  expect(await put("offset=4&more=1", "twox")).toBe(200);
  expect(await put("offset=4&more=1", "two ")).toBe(200);
  const artifacts = await artifactsOf(server);
  const file = { runId: turn.id, fileId: id };
  expect(await textOf(artifacts, file)).toBeUndefined();
  expect(await put("offset=8", "three")).toBe(200);
  expect(await textOf(artifacts, file)).toBe("one two three");
  expect(await put("offset=-1", "x")).toBe(400);
  expect(await put("offset=1e300", "x")).toBe(400);
});

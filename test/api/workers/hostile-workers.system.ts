import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { artifactsOf } from "../../given/artifact-places.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";
import { doorClient, someFacts } from "../../given/workers.ts";

const AGENT = `
const prompt = process.getBuiltinModule("node:fs").readFileSync(process.env.MILLRACE_PROMPT_FILE, "utf8");
if (prompt.includes("Stay.")) setInterval(() => {}, 1_000);`;

const shared = sharedByFile(async () => serverWithAgent(AGENT));

/** A run that a worker has claimed, and somebody else's. */
async function aClaim(name = `w-${randomUUID().slice(0, 8)}`) {
  const { server } = shared();
  const worker = await doorClient(server, { name });
  await server.api("POST", "/agent/run", { prompt: "Work.", config: { worker_host: name } });
  const [turn] = await worker.claim();
  if (!turn) throw new Error("nothing was claimed");
  return { server, worker, turn: { id: turn.run.id, ticket: turn.ticket }, assignment: turn };
}

const started = () => ({
  sessionId: randomUUID(),
  tokenHash: randomUUID().replaceAll("-", "").repeat(2),
  takesInput: false,
});

test("without the token of a worker, nobody gets a turn", async () => {
  const { server, worker, turn, assignment } = await aClaim();
  for (const token of ["mrw_wrong", ADMIN_KEY, assignment.runToken]) {
    expect(await worker.post("claim", { facts: {}, free: 1, waitMs: 0 }, token)).toMatchObject({
      status: 401,
    });
    expect(await worker.post("call", { turn, call: "listMessages" }, token)).toMatchObject({ status: 401 });
  }
  expect(server).toBeDefined();
});

test("a turn is open to the process that has claimed it, with its last ticket, and to nobody else", async () => {
  const { server, worker, turn } = await aClaim();
  const other = await doorClient(server);
  for (const [who, wrong] of [
    [other, turn],
    [worker, { ...turn, ticket: turn.ticket - 1 }],
    [worker, { ...turn, ticket: turn.ticket + 1 }],
    [worker, { id: randomUUID(), ticket: 1 }],
  ] as const) {
    expect(await who.call(wrong, "start", started())).toMatchObject({ status: 409 });
    expect(await who.call(wrong, "append", { chunks: [] })).toMatchObject({ status: 409 });
    expect((await who.upload(wrong, randomUUID(), "x")).status).toBe(409);
  }
  const asAnotherProcess = await worker.post("call", { process: "p-2", turn, call: "listMessages" });
  expect(asAnotherProcess.status).toBe(409);
});

test("what a worker has ended is over: what it says afterwards counts for nothing", async () => {
  const { server, worker, turn } = await aClaim();
  expect(await worker.call(turn, "start", started())).toMatchObject({ status: 200, body: { result: true } });
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 200 });
  expect(await worker.call(turn, "finish", { ending: { ...ending, state: "FAILED" } })).toMatchObject({
    status: 409,
  });
  const bytes = { $base64: Buffer.from("later").toString("base64") };
  const chunk = { seq: 9, turn: 1, stream: "stdout", at: new Date().toISOString(), bytes };
  expect(await worker.call(turn, "append", { chunks: [chunk] })).toMatchObject({ status: 409 });
  expect(await server.api("GET", `/agent/runs/${turn.id}`)).toMatchObject({ state: "SUCCEEDED" });
});

test("a start that is told twice is one start, and another start of the same turn is refused", async () => {
  const { worker, turn } = await aClaim();
  const start = started();
  expect(await worker.call(turn, "start", start)).toMatchObject({ body: { result: true } });
  expect(await worker.call(turn, "start", start)).toMatchObject({ body: { result: true } });
  expect(await worker.call(turn, "start", started())).toMatchObject({ body: { result: false } });
});

test("calls and parameters that no worker makes are refused, and name what is wrong", async () => {
  const { worker, turn } = await aClaim();
  for (const [call, parameters] of [
    ["constructor", {}],
    ["__proto__", {}],
    ["recoverLost", { ids: [turn.id] }],
    ["session", {}],
    ["append", { chunks: [{ seq: 0 }] }],
    ["append", { chunks: "x" }],
    ["finish", { ending: { state: "QUEUED", exitCode: 0, statusMessage: null } }],
    ["start", { ...started(), tokenHash: "short" }],
    [
      "addFile",
      { file: { id: "../../master.key", path: "a", size: 1, sha256: "0".repeat(64), holdsSecret: false } },
    ],
    ["findAttachment", { name: { $base64: "" } }],
  ] as const) {
    const { status, body } = await worker.call(turn, call, parameters);
    expect([call, status]).toEqual([call, 400]);
    expect(body.detail).toMatch(/^The request of the worker is not valid: /);
  }
});

test("another version of the protocol is refused, and it is said which side to update", async () => {
  const { worker } = await aClaim();
  expect(await worker.post("claim", { protocol: 2, facts: {}, free: 1, waitMs: 0 })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining("version 2"), remedy: "Update millrace on the server." },
  });
});

test("messages of other runs are neither offered, nor given, nor confirmed", async () => {
  const { server, worker, turn } = await aClaim();
  const victim = await aClaim();
  await victim.worker.call(victim.turn, "start", { ...started(), takesInput: true });
  await server.api("POST", `/agent/runs/${victim.turn.id}/followups`, { message: "For you alone." });
  const ungiven = async () => {
    const { body } = await victim.worker.call(victim.turn, "session.listUngiven");
    return body.result as { id: string; message: string }[];
  };
  const [message] = await ungiven();
  expect(message).toMatchObject({ message: "For you alone." });
  await worker.call(turn, "session.give", { ids: [message?.id] });
  await worker.call(turn, "session.offer", { id: message?.id });
  expect(await ungiven()).toEqual([message]);
});

test("the bytes of a file go to its run alone, and one that is listed is here", async () => {
  const { server, worker, turn } = await aClaim();
  await worker.call(turn, "start", started());
  const before = readdirSync(server.dataDir);
  for (const id of ["..%2f..%2fmaster.key", "name", `${randomUUID()}%2fx`])
    expect((await worker.upload(turn, id, "x")).status).toBe(400);
  expect(readdirSync(server.dataDir)).toEqual(before);
  const id = randomUUID();
  const sha256 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"; // of "x"
  const file = { id, path: "result.txt", size: 1, sha256, holdsSecret: false };
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 400 });
  expect((await worker.upload(turn, id, "y")).status).toBe(200);
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 400 });
  expect((await worker.upload(turn, id, "x")).status).toBe(200);
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 200 });
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 200 });
  expect(await (await artifactsOf(server)).list(turn.id)).toEqual([id]);
  const { artifacts } = await server.api<{ artifacts: unknown[] }>("GET", `/agent/runs/${turn.id}`);
  expect(artifacts).toHaveLength(1);
});

test("a secret that a worker writes in clear is hidden all the same", async () => {
  const { server, worker, turn, assignment } = await aClaim();
  await worker.call(turn, "start", started());
  const bytes = { $base64: Buffer.from(`my token is ${assignment.runToken}\n`).toString("base64") };
  const chunk = { seq: 1, turn: 1, stream: "stdout", at: new Date().toISOString(), bytes };
  expect(await worker.call(turn, "append", { chunks: [chunk] })).toMatchObject({ status: 200 });
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const transcript = await (
    await server.fetch(`/api/v1/agent/runs/${turn.id}/transcript`, { headers })
  ).text();
  expect(transcript).toContain("my token is ");
  expect(transcript).not.toContain(assignment.runToken);
});

test("a worker of one factory gets no run of another, whatever it reports", async () => {
  const { server } = shared();
  const worker = await doorClient(server, { name: "bound", factories: ["acme"] });
  expect(await worker.claim(10, 0)).toEqual([]);
  await server.api("POST", "/workers", { name: "free" });
  const stranger = await doorClient(server, { name: "stranger" });
  await server.api("POST", "/agent/run", { prompt: "Work.", config: { worker_host: "free" } });
  const facts = {
    labels: ["free"],
    version: "1",
    platform: null,
    shape: null,
    sandbox: null,
    concurrency: 1,
    executing: 0,
  };
  expect(
    (await stranger.post("claim", { claim: "one", facts, name: "free", free: 1, waitMs: 0 })).body.turns,
  ).toEqual([]);
});

test("the runs of the server itself, and those that have ended, are open to no worker", async () => {
  const { server, worker } = await aClaim();
  const own = await server.api<{ run_id: string }>("POST", "/agent/run", { prompt: "Stay." });
  await waitFor(async () => {
    const { state } = await server.api<{ state: string }>("GET", `/agent/runs/${own.run_id}`);
    return state === "INPROGRESS" || undefined;
  });
  const ended = await aClaim();
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  await ended.worker.call(ended.turn, "finish", { ending });
  for (const id of [own.run_id, ended.turn.id])
    for (const ticket of [1, 1e300]) {
      const forged = { id, ticket };
      expect((await worker.call(forged, "finish", { ending })).status).toBe(409);
      expect((await worker.beat([{ ...forged, isCancelled: false, news: "" }])).body.turns).toEqual([]);
      expect([400, 409]).toContain((await worker.upload(forged, randomUUID(), "x")).status);
    }
  expect(await server.api("GET", `/agent/runs/${own.run_id}`)).toMatchObject({ state: "INPROGRESS" });
  await server.api("POST", `/agent/runs/${own.run_id}/cancel`, {});
});

test("a claim that is sent again opens no turn to another worker, and none that has ended", async () => {
  const { server } = shared();
  const name = `w-${randomUUID().slice(0, 8)}`;
  const [worker, other] = [await doorClient(server, { name }), await doorClient(server, { name })];
  await server.api("POST", "/agent/run", { prompt: "Work.", config: { worker_host: name } });
  const [claimed] = await worker.claim(1, 5_000, "one");
  const facts = someFacts({ labels: [] });
  const again = { process: worker.process, claim: "one", facts, free: 1, waitMs: 0 };
  expect((await other.post("claim", again)).body.turns).toEqual([]);
  const ending = { state: "FAILED", exitCode: 1, statusMessage: null };
  const turn = { id: claimed?.run.id ?? "", ticket: claimed?.ticket ?? 0 };
  expect((await worker.call(turn, "finish", { ending })).status).toBe(200);
  for (const { run, ticket } of await worker.claim(1, 0, "one"))
    expect((await worker.call({ id: run.id, ticket }, "start", started())).status).toBe(409);
});

test("a file whose path leads elsewhere, or has characters that steer a terminal, is not listed", async () => {
  const { server, worker, turn } = await aClaim();
  await worker.call(turn, "start", started());
  const sha256 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"; // of "x"
  const list = async (path: string) => {
    const id = randomUUID();
    await worker.upload(turn, id, "x");
    const file = { id, path, size: 1, sha256, holdsSecret: false };
    return (await worker.call(turn, "addFile", { file })).body.result;
  };
  for (const path of [
    "../../x",
    "a/../../x",
    "/etc/x",
    "",
    "a//x",
    "..\\x",
    "\u001b[2Jx",
    "a\nb",
    "\u0000/..",
  ])
    expect([path, await list(path)]).toEqual([path, "unfit path"]);
  expect(await list("a/ä x.txt")).toBeUndefined();
  const { artifacts } = await server.api<{ artifacts: unknown[] }>("GET", `/agent/runs/${turn.id}`);
  expect(artifacts).toMatchObject([{ data: { filepath: "a/ä x.txt" } }]);
});

test("facts of megabytes, and absurd ones, do not get in", async () => {
  const { worker } = await aClaim();
  const claim = (changes: object) =>
    worker.post("claim", { claim: "c", facts: someFacts(changes), free: 1, waitMs: 0 });
  for (const changes of [
    { version: "1".repeat(2_000_000) },
    { labels: Array(200_000).fill("a") },
    { extra: "x".repeat(2_000_000) },
  ])
    expect((await claim(changes)).status).toBe(413);
  for (const changes of [
    { version: "\u001b[2J" },
    { executing: 1e300 },
    { concurrency: -1 },
    { sandbox: "<b>" },
  ])
    expect((await claim(changes)).status).toBe(400);
});

test("absurd things that a worker tells of its turn leave a run that can be read, and is no larger for them", async () => {
  const { server, worker, turn } = await aClaim();
  const isolation = { sandbox: "\u001b[2J", weaknesses: [] };
  expect((await worker.call(turn, "start", { ...started(), isolation })).status).toBe(400);
  isolation.sandbox = "none";
  expect((await worker.call(turn, "start", { ...started(), isolation })).status).toBe(200);
  const bytes = { $base64: Buffer.from("\u001b[2J\u001b]0;x\u0007\r<script>\u202e\n").toString("base64") };
  const chunk = { seq: 1, turn: 1, stream: "stdout", at: "2016-12-31T23:59:60Z", bytes };
  const [big, odd] = [1e300, "\u0000\u001b\ud800"];
  const used = { model: odd, inputTokens: big, outputTokens: big, cachedTokens: big, costUsd: big };
  const long = odd.repeat(100_000);
  const told: [string, object][] = [
    ["append", { chunks: [chunk, { ...chunk, seq: 2, at: "9999-12-31T23:59:59-23:59" }] }],
    ["keepReport", { session: odd, answer: long, failedServers: [{ name: odd, reason: odd }] }],
    ["keepReaches", { reached: Array(2).fill({ host: odd, port: 1, requests: big }), refused: [] }],
    ["keepUsage", { usage: Array(100).fill(used), source: "proxy" }],
    ["keepResources", { cpuMs: big, peakMemoryBytes: big }],
    ["session.open", { idleMs: 1e308 }],
    ["session.give", { ids: Array(1_000).fill(odd) }],
    ["proposePlan", { file: long, output: long }],
    [
      "finish",
      {
        ending: {
          state: "FAILED",
          exitCode: big,
          statusMessage: { message: long, error_code: odd },
          answer: long,
        },
      },
    ],
  ];
  for (const [call, parameters] of told)
    expect([call, (await worker.call(turn, call, parameters)).status]).toEqual([call, 200]);
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  for (const path of ["", "/timeline", "/transcript", "/harness-usage", "/network", "/conversation"]) {
    const answer = await server.fetch(`/api/v1/agent/runs/${turn.id}${path}`, { headers });
    const text = await answer.text();
    expect([path, answer.status, answer.headers.get("x-content-type-options")]).toEqual([
      path,
      200,
      "nosniff",
    ]);
    expect(text.length).toBeLessThan(1_500_000);
    expect(text).not.toContain("\u0000");
  }
  const { status_message: status } = await server.api<Models["RunItem"]>("GET", `/agent/runs/${turn.id}`);
  expect(status).toMatchObject({ message: expect.any(String) });
  expect(status?.message).toHaveLength(64 * 1024);
  expect(status).not.toHaveProperty("error_code");
});

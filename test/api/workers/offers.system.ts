import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";
import { type Client, doorClient, idsOf, offers, someFacts } from "../../given/workers.ts";

async function stage() {
  const { server, story } = await serverWithAgent("process.exit(3)", {
    files: {
      "runners/big.yaml":
        "platform: { linux: { dockerImage: alpine } }\ninstanceShape: { vcpus: 64, memoryGb: 512 }\n",
    },
  });
  const start = async (config: object = {}) =>
    (
      await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        config: { worker_host: "builder", ...config },
      })
    ).run_id;
  return { server, story, start };
}

/** Asks for one run only, as a worker that was started for it. */
async function claimOnly(client: Client, run: string, { waitMs = 0, isLarge = true } = {}) {
  const shape = isLarge ? { vcpus: 64, memoryGb: 512 } : { vcpus: 2, memoryGb: 4 };
  const request = { claim: randomUUID(), facts: someFacts({ shape }), free: 1, waitMs, run };
  const { body } = await client.post("claim", request);
  return body as { turns: { run: { id: string } }[]; run?: string };
}

test("an offer claims nothing, says what the run asks of a machine, and is not made to anybody else meanwhile", async () => {
  const { server, story, start } = await stage();
  const [first, second] = [await doorClient(server), await doorClient(server)];
  const id = await start({ runner_id: "big" });
  const answer = await offers(first);
  expect(answer).toMatchObject({ turns: [], isDraining: false });
  const { updated_at } = await story.run(id);
  expect(answer.offers).toEqual({
    offers: [
      {
        ...{ id, turn: 1, factory: "acme", workerHost: "builder", platform: null, image: "alpine" },
        ...{ shape: { vcpus: 64, memoryGb: 512 }, waitingSince: updated_at },
      },
    ],
    known: [],
  });
  expect(await story.run(id)).toMatchObject({ state: "QUEUED" });
  expect(idsOf(await offers(second))).toEqual([]);
  const known = { id, turn: 1, state: "waiting" };
  expect((await offers(first, [known])).offers).toEqual({ offers: [], known: [known] });
  // Who does not name it has not heard the answer, or does nothing more for it.
  expect(idsOf(await offers(first))).toEqual([id]);
  expect(idsOf(await offers(first, [], { free: 0 }))).toEqual([]);
  expect(idsOf(await offers(second))).toEqual([id]);
});

test("what a process has taken up stays its own until it gives it up, and people read why it waits", async () => {
  const { server, story, start } = await stage();
  const [first, second] = [await doorClient(server), await doorClient(server)];
  const id = await start();
  await offers(first);
  const known = { id, turn: 1, state: "waiting", reason: `no\u001b[2J  room${"x".repeat(900)}` };
  await offers(first, [known]);
  const { message = "" } = (await story.run(id)).waiting ?? {};
  expect(message).toMatch(/^The worker builder is starting a machine for the run: no \[2J roomx+…$/);
  expect(message.length).toBeLessThan(400);
  await offers(second, [{ ...known, reason: "mine" }]);
  expect((await story.run(id)).waiting?.message).not.toContain("mine");
  await offers(first, [{ ...known, reason: "no key", isGivenUp: true }]);
  expect((await story.run(id)).waiting?.message).toBe(
    "The worker builder could not start a machine for the run, and does not try again: no key",
  );
  expect(idsOf(await offers(second))).toEqual([id]);
});

test("a process hears at once that a run was cancelled, is executed, or has ended", async () => {
  const { server, start } = await stage();
  const [starter, worker] = [await doorClient(server), await doorClient(server)];
  const [cancelled, executed] = [await start(), await start()];
  const known = (states: [string, string][]) => states.map(([id, state]) => ({ id, turn: 1, state }));
  await offers(starter);
  const waiting = known([
    [cancelled, "waiting"],
    [executed, "waiting"],
  ]);
  const hearing = offers(starter, waiting, { waitMs: 15_000 });
  await server.api("POST", `/agent/runs/${cancelled}/cancel`);
  expect((await hearing).offers.known.map(({ state }) => state)).toEqual(["over", "waiting"]);
  const [turn] = await worker.claim();
  const executing = known([[executed, "waiting"]]);
  expect((await offers(starter, executing, { waitMs: 15_000 })).offers.known[0]?.state).toBe("executing");
  const ticket = turn?.ticket ?? 0;
  const startOfAgent = { sessionId: randomUUID(), tokenHash: "0".repeat(64), takesInput: false };
  expect((await worker.call({ id: executed, ticket }, "start", startOfAgent)).body).toEqual({ result: true });
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  const ended = offers(starter, known([[executed, "executing"]]), { waitMs: 15_000 });
  await worker.call({ id: executed, ticket }, "finish", { ending });
  expect((await ended).offers.known[0]?.state).toBe("over");
  // Another turn of the same run is another matter.
  expect((await offers(starter, [{ id: executed, turn: 2, state: "over" }])).offers.known[0]?.state).toBe(
    "over",
  );
});

test("a draining worker is offered nothing, and hears that it drains", async () => {
  const { server, start } = await stage();
  const client = await doorClient(server);
  const hearing = offers(client, [], { waitMs: 15_000 });
  await server.api("POST", `/workers/${client.id}/drain`);
  await start();
  expect(await hearing).toMatchObject({ isDraining: true, offers: { offers: [] } });
});

test("a worker for one run gets that one, or hears how it stands", async () => {
  const { server, story, start } = await stage();
  const [client, other] = [await doorClient(server), await doorClient(server)];
  const [older, wanted] = [await start(), await start()];
  const { turns } = await claimOnly(client, wanted);
  expect(turns.map(({ run }) => run.id)).toEqual([wanted]);
  expect(await claimOnly(other, wanted)).toMatchObject({ turns: [], run: "executing" });
  expect(await story.run(older)).toMatchObject({ state: "QUEUED" });
  await server.api("POST", `/agent/runs/${older}/cancel`);
  expect(await claimOnly(client, older, { waitMs: 15_000 })).toMatchObject({ turns: [], run: "over" });
  expect(await claimOnly(client, randomUUID(), { waitMs: 15_000 })).toMatchObject({ run: "over" });
});

test("a worker for one run is bound to what the run asks of its machine, and to a pause", async () => {
  const { server, start } = await stage();
  const client = await doorClient(server);
  const large = await start({ runner_id: "big" });
  expect(await claimOnly(client, large, { isLarge: false })).toMatchObject({ turns: [], run: "over" });
  const { id } = await server.api<{ id: string }>("POST", "/pauses", {});
  expect(await claimOnly(client, large)).toMatchObject({ turns: [], run: "waiting" });
  const waiting = claimOnly(client, large, { waitMs: 15_000 });
  await server.api("DELETE", `/pauses/${id}`);
  expect((await waiting).turns).toHaveLength(1);
});

test("a worker hears nothing of runs that it may not execute, and cannot keep them from others", async () => {
  const { server, story, start } = await stage();
  const stranger = await doorClient(server, { name: "stranger" });
  const client = await doorClient(server);
  const id = await start();
  const known = [{ id, turn: 1, state: "waiting", reason: "Pay first." }];
  expect((await offers(stranger, known)).offers).toMatchObject({
    offers: [],
    known: [{ id, state: "over" }],
  });
  expect(JSON.stringify((await story.run(id)).waiting)).not.toContain("Pay first.");
  expect(await claimOnly(stranger, id)).toMatchObject({ turns: [], run: "over" });
  expect(idsOf(await offers(client))).toEqual([id]);
});

const ask = (server: Awaited<ReturnType<typeof startServer>>) =>
  server.api<{ run_id: string }>("POST", "/agent/run", {
    prompt: "Work.",
    config: { worker_host: "builder" },
  });

test("a claim that is sent again gets the turns of the first time, and another claim does not", async () => {
  const server = await startServer({ sources: [] });
  const worker = await doorClient(server);
  await ask(server);
  const [first] = await worker.claim(1, 5_000, "one");
  const [again] = await worker.claim(1, 0, "one");
  expect([again?.run.id, again?.ticket]).toEqual([first?.run.id, first?.ticket]);
  expect(await worker.claim(1, 0, "two")).toEqual([]);
});

test("two claims that are one, and that wait at the same time, get the same turn", async () => {
  const server = await startServer({ sources: [] });
  const worker = await doorClient(server);
  const both = [worker.claim(5, 10_000, "one"), worker.claim(5, 10_000, "one")];
  const { run_id } = await ask(server);
  const [one, two] = await Promise.all(both);
  expect(one?.map(({ run }) => run.id)).toEqual([run_id]);
  expect(two?.map(({ ticket }) => ticket)).toEqual(one?.map(({ ticket }) => ticket));
});

test("every call of a turn can be sent again: its pieces, its file and its start are there once", async () => {
  const server = await startServer({ sources: [] });
  const story = storyOf(server);
  const worker = await doorClient(server);
  const { run_id } = await ask(server);
  const [claimed] = await worker.claim();
  const turn = { id: run_id, ticket: claimed?.ticket ?? 0 };
  const bytes = (text: string) => ({ $base64: Buffer.from(text).toString("base64") });
  const chunk = (seq: number, text: string) => {
    return { seq, turn: 1, stream: "stdout", at: new Date().toISOString(), bytes: bytes(text) };
  };
  const file = { id: randomUUID(), path: "a.txt", size: 5, sha256: sha256("hello"), holdsSecret: false };
  const start = { sessionId: randomUUID(), tokenHash: sha256("token"), takesInput: false };
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  for (const [call, parameters] of [
    ["hide", { values: ["secret"] }],
    ["start", start],
    ["session.open", {}],
    ["append", { chunks: [chunk(1, "one\n"), chunk(2, "two\n")] }],
    ["append", { chunks: [chunk(2, "two\n"), chunk(3, "three\n")] }],
    ["addFile", { file }],
    ["session.close", {}],
  ] as const) {
    if (call === "addFile") expect((await worker.upload(turn, file.id, "hello")).status).toBe(200);
    const answers = [await worker.call(turn, call, parameters), await worker.call(turn, call, parameters)];
    expect([call, answers[0]?.status, answers[1]]).toEqual([call, 200, answers[0]]);
  }
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 200 });
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 409 });
  expect(await story.transcript(run_id)).toBe("one\ntwo\nthree\n");
  const run = await story.run(run_id);
  expect(run).toMatchObject({ state: "SUCCEEDED" });
  expect(run.artifacts).toHaveLength(1);
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("what a process has taken up is offered to others when it was not heard of for a lease", async () => {
  const { server } = await serverWithAgent("process.exit(3)", { env: { MILLRACE_WORKER_LEASE: "5s" } });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Do it.",
    config: { worker_host: "builder" },
  });
  const [gone, other] = [await doorClient(server), await doorClient(server)];
  expect(idsOf(await offers(gone))).toEqual([run_id]);
  expect(idsOf(await offers(other))).toEqual([]);
  await waitFor(async () => idsOf(await offers(other)).length === 1);
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { aBackend, aDispatcher, aProgram, jobsIn } from "../../../given/backend.ts";
import { filesShownIn } from "../../../given/browser.ts";
import { sharedByFile } from "../../../given/cleanup.ts";
import { folderWith } from "../../../given/folder.ts";
import { MILLRACE, waitFor } from "../../../given/server.ts";
import { aWorker, remoteRuns } from "../../../given/workers.ts";

const shared = sharedByFile(remoteRuns);
let workers = 0;

/** A backend of a worker of its own, and the token with which both the worker and its jobs connect. */
async function stage(program = "", mill = shared()) {
  workers += 1;
  const name = `builder-${workers}`;
  const { id, token } = await mill.server.api<{ id: string; token: string }>("POST", "/workers", { name });
  const backend = aBackend({ token, agent: mill.agents.program + program });
  const dispatcher = (dataDir?: string, concurrency = 2) =>
    aDispatcher(mill.server, {
      ...{ token, program: backend.program, concurrency },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
  const start = () => mill.start({ config: { worker_host: name } });
  return { mill: { ...mill, start }, backend, dispatcher, token, name, workerId: id };
}

const startsOf = ({ calls }: ReturnType<typeof aBackend>) => calls("start").map(({ request }) => request.id);

const UNTIL_ENOUGH = `
  say("working-" + process.env.MILLRACE_RUN_ID);
  await until("enough");`;

test("a worker has a run executed by its backend, which gets neither its token nor settings of millrace", async () => {
  const { mill, backend, dispatcher, token, name } = await stage();
  const { dataDir } = await dispatcher();
  const id = await mill.start();
  expect(await mill.story.ended(id), backend.logs()).toMatchObject({ state: "SUCCEEDED" });
  expect(mill.starts(id)).toBe(1);
  const [call] = backend.calls("start");
  expect(call?.request).toMatchObject({
    ...{
      version: 1,
      id: `${id}-1-1`,
      run_id: id,
      turn: 1,
      attempt: 1,
      factory: "acme",
      worker_host: name,
    },
    ...{ platform: null, shape: null, image: null, server: mill.server.url },
    command: ["millrace", "worker", "--once", "--run", id, "--server", mill.server.url],
  });
  expect(JSON.stringify(call)).not.toContain(token);
  expect(Object.keys(call?.env ?? {}).filter((name) => name.startsWith("MILLRACE_"))).toEqual([]);
  await waitFor(() => jobsIn(dataDir).length === 0);
  expect(backend.calls("cancel")).toEqual([]);
});

test("a follow-up is a turn of its own, for which the backend starts another job", async () => {
  const { mill, backend, dispatcher } = await stage();
  await dispatcher();
  const id = await mill.start();
  await mill.story.ended(id);
  await mill.server.api("POST", `/agent/runs/${id}/followups`, { message: "Again." });
  await waitFor(() => mill.starts(id) === 2);
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(startsOf(backend)).toEqual([`${id}-1-1`, `${id}-2-1`]);
});

test("a run that is cancelled while its job is pending has the job cancelled, and says until then what it waits for", async () => {
  const { mill, backend, dispatcher, name } = await stage();
  backend.set("hold");
  const { dataDir } = await dispatcher();
  const id = await mill.start();
  await backend.called("start");
  const message = `The worker ${name} is starting a machine for the run: The queue is long.`;
  await waitFor(async () => (await mill.story.run(id)).waiting?.message === message || undefined);
  expect((await mill.story.run(id)).waiting).toMatchObject({ reason: "starting" });
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  await backend.called("cancel");
  expect(backend.calls("cancel")[0]?.request).toMatchObject({ id: `${id}-1-1`, handle: "held" });
  await waitFor(() => jobsIn(dataDir).length === 0);
  expect(mill.starts(id)).toBe(0);
});

test("a worker that is killed and started again goes on with its jobs, and starts none twice", async () => {
  const { mill, backend, dispatcher } = await stage(UNTIL_ENOUGH);
  const first = await dispatcher();
  const executing = await mill.start();
  await mill.agents.has(`working-${executing}`);
  backend.set("slow");
  const starting = await mill.start();
  await backend.called("start", 2);
  await first.kill();
  await dispatcher(first.dataDir);
  // The job that the first process has asked for may be there or not.
  await backend.called("start", 3);
  backend.clear("slow");
  await mill.agents.has(`working-${starting}`);
  mill.agents.can("enough");
  for (const id of [executing, starting]) {
    expect(await mill.story.ended(id), backend.logs()).toMatchObject({ state: "SUCCEEDED" });
    expect(mill.starts(id)).toBe(1);
    expect(await mill.agentStarted(id)).toBe(1);
  }
  expect(startsOf(backend)).toEqual([`${executing}-1-1`, `${starting}-1-1`, `${starting}-1-1`]);
  await waitFor(() => jobsIn(first.dataDir).length === 0);
});

test("a server that is killed and started again finds jobs that are on their way, and each executes its run", async () => {
  const { mill, backend, dispatcher } = await stage("", await remoteRuns());
  backend.set("slow");
  const { dataDir } = await dispatcher();
  const id = await mill.start();
  await backend.called("start");
  await mill.kill();
  backend.clear("slow");
  await mill.restart();
  expect(await mill.story.ended(id, 40), backend.logs()).toMatchObject({ state: "SUCCEEDED" });
  expect(startsOf(backend)).toEqual([`${id}-1-1`]);
  expect(mill.starts(id)).toBe(1);
  await waitFor(() => jobsIn(dataDir).length === 0);
});

test("a worker that is revoked ends with an error that says what to do", async () => {
  const { mill, backend, dispatcher, workerId } = await stage();
  backend.set("hold");
  const { exitCode, said } = await dispatcher();
  await mill.start();
  await backend.called("start");
  await mill.server.api("DELETE", `/workers/${workerId}`);
  await waitFor(() => exitCode() !== null, 40);
  expect(exitCode()).not.toBe(0);
  expect(said()).toContain("millrace workers create");
});

test("two workers with one backend share the runs of their pool, and each run has one job", async () => {
  const { mill, backend, dispatcher } = await stage();
  await dispatcher();
  await dispatcher();
  const ids = await Promise.all(Array.from({ length: 6 }, () => mill.start()));
  for (const id of ids) expect(await mill.story.ended(id, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect(ids.map(mill.starts)).toEqual(ids.map(() => 1));
  expect(startsOf(backend).sort()).toEqual(ids.map((id) => `${id}-1-1`).sort());
});

test("a start that fails is tried again, and so is a job that has ended without its run", async () => {
  const { mill, backend, dispatcher, name } = await stage();
  backend.set("refuse");
  await dispatcher();
  const id = await mill.start();
  const message = async () => (await mill.story.run(id)).waiting?.message;
  await waitFor(async () => (await message())?.includes("No machine is free.") || undefined);
  expect(await message()).toBe(
    `The worker ${name} is starting a machine for the run: attempt 1 of 6: \`start\` of the backend exited with code 1: No machine is free.`,
  );
  backend.set("useless");
  backend.clear("refuse");
  await waitFor(async () => (await message())?.includes("attempt 2 of 6: the job ended") || undefined, 40);
  backend.clear("useless");
  expect(await mill.story.ended(id, 40), backend.logs()).toMatchObject({ state: "SUCCEEDED" });
  expect(startsOf(backend)).toEqual([`${id}-1-1`, `${id}-1-1`, `${id}-1-2`]);
  expect(mill.starts(id)).toBe(1);
});

test("a worker that stops or drains starts no job, and those that are there go on", async () => {
  const { mill, backend, dispatcher, workerId } = await stage(UNTIL_ENOUGH);
  const first = await dispatcher();
  const id = await mill.start();
  await mill.agents.has(`working-${id}`);
  await mill.server.api("POST", `/workers/${workerId}/drain`);
  const next = await mill.start();
  await waitFor(async () => (await mill.story.run(next)).waiting?.reason === "worker_limit" || undefined);
  expect(await first.stop()).toBe(0);
  mill.agents.can("enough");
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  await dispatcher(first.dataDir);
  await waitFor(() => jobsIn(first.dataDir).length === 0);
  expect(startsOf(backend)).toEqual([`${id}-1-1`]);
  await mill.server.api("DELETE", `/workers/${workerId}/drain`);
  expect(await mill.story.ended(next, 40)).toMatchObject({ state: "SUCCEEDED" });
});

test("the backend that the guide shows executes a run", async () => {
  const { mill, token } = await stage();
  const shown = filesShownIn("docs/how-to/worker-backends.md");
  const folder = folderWith({ ...shown, "worker.token": token, "agent.mjs": mill.agents.program });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const words = MILLRACE.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "millrace"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "millrace"), 0o755);
  const agent = `${process.execPath} ${join(folder, "agent.mjs")}`;
  const program = aProgram(
    `cd ${folder} && MILLRACE_SANDBOX=none exec node backend.mjs worker.token "${agent}" "$@"`,
    "/bin/sh",
  );
  const { dataDir } = await aWorker(mill.server, {
    token,
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      MILLRACE_SANDBOX: "command",
      MILLRACE_SANDBOX_COMMAND: program,
    },
  });
  const id = await mill.start();
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(mill.starts(id)).toBe(1);
  await waitFor(() => jobsIn(dataDir).length === 0);
});

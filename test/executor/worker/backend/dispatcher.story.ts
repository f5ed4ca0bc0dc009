import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../../../src/config/load-config.ts";
import { startDispatcher } from "../../../../src/executor/worker/backend/start-dispatcher.ts";
import { silentLog } from "../../../../src/log.ts";
import { serverWithAgent } from "../../../given/agent.ts";
import { aProgram, jobsIn } from "../../../given/backend.ts";
import { temporaryFolder } from "../../../given/folder.ts";
import { waitFor } from "../../../given/server.ts";
import { doorClient } from "../../../given/workers.ts";

/** Short, so that what is tried several times is over soon. */
const TIMES = { pollMs: 50, retryMs: 50, graceMs: 1_000 };

/** A server, and a worker whose backend answers as files in a folder say: `start`, `status` and `cancel`, each a script in sh. */
async function stage() {
  const { server, story } = await serverWithAgent("process.exit(3)");
  const other = await doorClient(server);
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const program = aProgram(`cat > /dev/null; echo "$1" >> ${at("calls")}; . ${folder}/"$1"`, "/bin/sh");
  const answer = (verb: string, script: string) => writeFileSync(at(verb), script);
  answer("start", `echo '{"version": 1}'`);
  answer("status", `echo '{"version": 1, "state": "running"}'`);
  answer("cancel", "exit 0");
  const env = {
    MILLRACE_SANDBOX_COMMAND: program,
    MILLRACE_DRAIN_TIMEOUT: "1s",
    MILLRACE_LOG_LEVEL: "fatal",
  };
  const { config } = await loadConfig({ flags: {}, env });
  const dataDir = join(temporaryFolder(), "data");
  // The data folder is made for one user alone, and so is all that this process would make later.
  const umask = process.umask();
  onTestFinished(() => void process.umask(umask));
  const dispatcher = async () => {
    const worker = await startDispatcher({
      ...{
        config,
        server: server.url,
        token: other.token,
        name: "here",
        labels: [],
        concurrency: 2,
        dataDir,
      },
      ...{ log: silentLog, times: TIMES },
    });
    onTestFinished(worker.stop);
    return worker;
  };
  const start = async () =>
    (
      await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        config: { worker_host: "builder" },
      })
    ).run_id;
  const calls = async (verb: string) => {
    const { readFile } = await import("node:fs/promises");
    const lines = existsSync(at("calls")) ? (await readFile(at("calls"), "utf8")).split("\n") : [];
    return lines.filter((line) => line === verb).length;
  };
  const reason = async (id: string) => (await story.run(id)).waiting?.message ?? "";
  return { server, story, other, answer, dispatcher, start, calls, reason, dataDir };
}

test("a run whose job never starts is given up after six attempts, and others may have it", async () => {
  const { other, answer, dispatcher, start, calls, reason, dataDir } = await stage();
  answer("start", "echo 'The quota is used up.' >&2; exit 1");
  const worker = await dispatcher();
  const id = await start();
  await waitFor(async () => (await reason(id)).includes("does not try again") || undefined);
  expect(await reason(id)).toBe(
    "The worker builder could not start a machine for the run, and does not try again: `start` of the backend exited with code 1: The quota is used up.",
  );
  expect([await calls("start"), await calls("cancel")]).toEqual([6, 1]);
  const next = await start();
  await waitFor(async () => (await calls("start")) > 6);
  await worker.stop();
  expect(await calls("start")).toBeLessThan(14);
  // A worker that is started again tries again.
  answer("start", `echo '{"version": 1}'`);
  const before = await calls("start");
  await dispatcher();
  await waitFor(async () => (await calls("start")) === before + 2);
  const turns = await other.claim(2);
  expect(turns.map(({ run }) => run.id).sort()).toEqual([id, next].sort());
  expect(jobsIn(dataDir)).toHaveLength(2);
});

test("a status that cannot be read starts no other job, and its failure is what the run waits for", async () => {
  const { answer, dispatcher, start, calls, reason } = await stage();
  answer("status", "echo garbage");
  await dispatcher();
  const id = await start();
  await waitFor(async () => (await calls("status")) >= 5);
  expect(await calls("start")).toBe(1);
  await waitFor(async () => (await reason(id)).includes('did not answer with JSON, but with: "garbage"'));
});

test("a cancel that fails is tried again, five times at most", async () => {
  const { server, answer, dispatcher, start, calls, dataDir } = await stage();
  answer("cancel", "exit 1");
  await dispatcher();
  const id = await start();
  await waitFor(async () => (await calls("status")) >= 1);
  await server.api("POST", `/agent/runs/${id}/cancel`);
  await waitFor(() => jobsIn(dataDir).length === 0);
  expect(await calls("cancel")).toBe(5);
});

test("a job that goes on after its turn has ended is cancelled", async () => {
  const { story, other, dispatcher, start, calls, dataDir } = await stage();
  await dispatcher();
  const id = await start();
  await waitFor(async () => (await calls("status")) >= 1);
  const [turn] = await other.claim();
  const ticket = turn?.ticket ?? 0;
  const agent = { sessionId: randomUUID(), tokenHash: "0".repeat(64), takesInput: false };
  await other.call({ id, ticket }, "start", agent);
  // The worker hears of it within five seconds.
  await waitFor(async () => {
    const before = await calls("status");
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await calls("status")) === before;
  });
  expect(await calls("cancel")).toBe(0);
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  await other.call({ id, ticket }, "finish", { ending });
  await waitFor(() => jobsIn(dataDir).length === 0);
  expect(await calls("cancel")).toBe(1);
  expect(await calls("start")).toBe(1);
  expect(await story.run(id)).toMatchObject({ state: "SUCCEEDED" });
});

test("a file of a job that cannot be read is left alone, and the others count", async () => {
  const { dispatcher, start, calls, dataDir } = await stage();
  const first = await dispatcher();
  const id = await start();
  await waitFor(async () => (await calls("status")) >= 1);
  await first.stop();
  writeFileSync(join(dataDir, "jobs", "broken.json"), '{"offer": {"id": "../../x"}}');
  const before = await calls("status");
  await dispatcher();
  await waitFor(async () => (await calls("status")) > before);
  expect(jobsIn(dataDir).sort()).toEqual([`${id}-1.json`, "broken.json"].sort());
  expect(await calls("start")).toBe(1);
});

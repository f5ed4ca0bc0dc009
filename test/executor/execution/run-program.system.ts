import { getEventListeners } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runProgram } from "../../../src/executor/execution/run-program.ts";
import { openTranscript } from "../../../src/executor/output/transcript-writer.ts";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import type { TranscriptStore } from "../../../src/runs/output/transcript.ts";
import { MAX_OUTPUT_BYTES } from "../../../src/runs/turn/turn-door.ts";
import { anAgentSupervisor } from "../../given/executing.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { aRun, aStore } from "../../given/store.ts";

/** A program of a run, and its transcript in this store. */
function programOf(command: string[], store: Pick<TranscriptStore, "append">, runId = aRun().id) {
  const stop = new AbortController();
  const workspace = temporaryFolder();
  const limit = new AbortController();
  const transcript = openTranscript({
    append: (chunks) => store.append(runId, chunks),
    turn: 1,
    lastSeq: 0,
    now: () => new Date(),
    onFull: () => limit.abort("too much"),
    onError: (error) => {
      throw error;
    },
  });
  const sandbox = unconfined();
  const signals = { signal: stop.signal, limit: limit.signal };
  const host = anAgentSupervisor();
  const options = {
    runId,
    sandbox,
    host,
    transcript,
    input: "",
    secrets: [],
    timeoutMs: 60_000,
    ...signals,
  };
  const environment = { PATH: process.env.PATH ?? "", MILLRACE_RUN_ID: runId };
  const start = () =>
    runProgram({ ...options, launch: sandbox.launch({ runId, command, workspace, environment }) }).finally(
      () => transcript.end(),
    );
  return { start, stop, workspace };
}

const node = (script: string) => [process.execPath, "--input-type=module", "--eval", script];

test("a program that cannot be started leaves no clock and no listener behind", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const program = join(folderWith({ "agent.sh": "#!/no/such/interpreter\n" }), "agent.sh");
  chmodSync(program, 0o755);
  const { start, stop } = programOf([program], (await aStore()).transcripts);
  const before = timers();
  expect(await start()).toMatchObject({ kind: "not_started" });
  expect(timers()).toBeLessThanOrEqual(before);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("an agent that writes faster than its output can be stored has to wait", async () => {
  const { runs, transcripts } = await aStore();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = {
    append: async (...output: Parameters<TranscriptStore["append"]>) => {
      await held;
      return transcripts.append(...output);
    },
  };
  const run = await runs.create(aRun(), new Date().toISOString());
  const size = 16 * 1024 * 1024;
  const script = `
    import { writeFileSync, writeSync } from "node:fs";
    for (let sent = 0; sent < ${size}; sent += 65536) { writeSync(1, Buffer.alloc(65536, "x")); writeFileSync("sent", String(sent)); }`;
  const { start, workspace } = programOf(node(script), slow, run.id);
  const end = start();
  const sent = () => Number(readFileSync(join(workspace, "sent"), "utf8"));
  await waitFor(() => existsSync(join(workspace, "sent")));
  await sleep(500);
  expect(sent()).toBeLessThan(2 * 1024 * 1024);
  letGo();
  expect(await end).toEqual({ kind: "exited", code: 0 });
  expect(await transcripts.findSize(run.id)).toBe(size);
});

test("an agent that writes endlessly is stopped at the limit, and its output up to the limit is stored", async () => {
  const { runs, transcripts } = await aStore();
  const run = await runs.create(aRun(), new Date().toISOString());
  const script = `
    import { writeSync } from "node:fs";
    for (;;) writeSync(1, Buffer.alloc(1048576, "x"));`;
  const end = await programOf(node(script), transcripts, run.id).start();
  expect(end).toEqual({ kind: "over_limit", message: "too much" });
  expect(await transcripts.findSize(run.id)).toBe(MAX_OUTPUT_BYTES);
});

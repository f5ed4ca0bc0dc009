import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBackendProgram } from "../../../../src/executor/worker/backend/backend-program.ts";
import { aProgram } from "../../../given/backend.ts";
import { temporaryFolder } from "../../../given/folder.ts";
import { endProcess, isRunning } from "../../../given/processes.ts";
import { waitFor } from "../../../given/server.ts";

const NEVER = new AbortController().signal;
const LIMITS = { timeMs: 20_000, outputBytes: 1_000 };
const JOB = { id: "run-1-1", run_id: "run", turn: 1, attempt: 1, handle: null };
const START = {
  ...{ id: "run-1-1", run_id: "run", turn: 1, attempt: 1, factory: "acme", worker_host: "builder" },
  ...{ platform: null, shape: null, image: "alpine; rm -rf /", waiting_since: "2026-01-01T00:00:00Z" },
  ...{ server: "http://127.0.0.1", command: ["millrace"] },
};

/** A backend with a script in sh. */
const backend = (script: string, limits = LIMITS) =>
  createBackendProgram([aProgram(script, "/bin/sh"), "--on", "gpu hosts"], limits);

const status = (script: string, limits?: typeof LIMITS) => backend(script, limits).status(JOB, NEVER);

test("the program gets its own options, the verb and the request, and its answer is what it writes", async () => {
  const seen = join(temporaryFolder(), "seen");
  const answer = await backend(
    `{ printf '%s|' "$@"; cat; } > ${seen}; echo '{"version": 1, "handle": "vm 7", "more": true}'`,
  ).start(START, NEVER);
  expect(answer).toMatchObject({ handle: "vm 7" });
  const [option, name, verb, ...json] = readFileSync(seen, "utf8").split("|");
  expect([option, name, verb]).toEqual(["--on", "gpu hosts", "start"]);
  expect(JSON.parse(json.join("|"))).toEqual({ version: 1, ...START });
});

test("a start and a cancel may answer nothing", async () => {
  expect(await backend("exit 0").start(START, NEVER)).toEqual({});
  await expect(backend("cat > /dev/null").cancel(JOB, NEVER)).resolves.toBeUndefined();
});

test.each([
  ["nothing", "exit 0", "did not answer with JSON, but with: nothing"],
  ["text", "printf 'all \\033[31mgood\\n'", 'did not answer with JSON, but with: "all [31mgood"'],
  ["an unknown state", `echo '{"version": 1, "state": "fine"}'`, "is not valid: "],
  ["another version", `echo '{"version": 2, "state": "running"}'`, "is not valid: "],
  ["a list", "echo '[]'", "is not valid: "],
])("a status that answers %s is a failure that says so", async (_, script, message) => {
  await expect(status(script)).rejects.toThrow(message);
});

test("a failure has the exit code and the last line of standard error, without what would move a cursor", async () => {
  await expect(status("echo first >&2; printf 'no \\033[2Jroom\\n\\n' >&2; exit 3")).rejects.toThrow(
    "`status` of the backend exited with code 3: no [2Jroom",
  );
  await expect(status("exit 1")).rejects.toThrow("`status` of the backend exited with code 1.");
  await expect(status("kill -9 $$")).rejects.toThrow("`status` of the backend was ended by SIGKILL.");
});

test("standard error without an end costs no memory, and an answer without an end is refused", async () => {
  await expect(
    status("head -c 50000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo last >&2; exit 1"),
  ).rejects.toThrow("exited with code 1: last");
  await expect(status("while :; do echo xxxxxxxxxxxxxxxxxxxx; done")).rejects.toThrow(
    "answered with more than 1000 bytes",
  );
});

test("a program that does not answer in time is ended with what it has started", async () => {
  const file = join(temporaryFolder(), "pid");
  const script = `sleep 600 & echo $! > ${file}; wait`;
  await expect(status(script, { ...LIMITS, timeMs: 1_000 })).rejects.toThrow(
    "did not answer within 1 seconds",
  );
  const pid = Number(readFileSync(file, "utf8"));
  await waitFor(() => !isRunning(pid));
});

test("a job that goes on in the background does not hold up the answer, and is left alone", async () => {
  const file = join(temporaryFolder(), "pid");
  await backend(`sleep 600 & echo $! > ${file}; echo '{"version": 1}'`).start(START, NEVER);
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => endProcess(pid));
  expect(isRunning(pid)).toBe(true);
});

test("a program that is missing is a failure that says so", async () => {
  const missing = createBackendProgram([join(temporaryFolder(), "nothing")], LIMITS);
  await expect(missing.status(JOB, NEVER)).rejects.toThrow("the program was not found");
});

test("a worker that stops ends a call that does not answer", async () => {
  const folder = temporaryFolder();
  const stop = new AbortController();
  const call = backend(`: > ${folder}/called; sleep 600`).status(JOB, stop.signal);
  const failure = expect(call).rejects.toThrow("was ended, because the worker stops");
  await waitFor(() => existsSync(join(folder, "called")));
  stop.abort();
  await failure;
});

test("four calls are made at the same time, and the others wait for them", async () => {
  const folder = temporaryFolder();
  const script = `: > "${folder}/$$"; while [ ! -e ${folder}/go ]; do sleep 0.05; done; ls ${folder} | wc -l >&2; exit 1`;
  const program = backend(script);
  const { readdirSync, writeFileSync } = await import("node:fs");
  const calls = Array.from({ length: 6 }, () => program.status(JOB, NEVER).catch(String));
  await waitFor(() => readdirSync(folder).length === 4);
  writeFileSync(join(folder, "go"), "");
  await Promise.all(calls);
  expect(readdirSync(folder)).toHaveLength(7);
});

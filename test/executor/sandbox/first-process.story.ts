import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { endAllNoted, endNoted } from "../../../src/executor/sandbox/first-process.ts";
import { findUserRange, runUser } from "../../../src/executor/sandbox/run-user.ts";
import { folderWith } from "../../given/folder.ts";
import { endProcess, isRunning, processesWith } from "../../given/processes.ts";
import { SERVERS, sandboxOf, start } from "../../given/sandbox-of.ts";
import { waitFor } from "../../given/server.ts";

/** Opens the memory of processes, which takes what tracing them takes, and says for which it could. */
const OPEN_MEMORY = `
  const { closeSync, openSync, readFileSync } = require("node:fs");
  const { spawn } = require("node:child_process");
  const may = (path) => { try { closeSync(openSync(path, "r+")); return "yes"; } catch (error) { return error.code; } };
  const child = spawn("sleep", ["60"]);
  child.on("spawn", () => {
    console.log("own child:", may("/proc/" + child.pid + "/mem"), "first:", may("/proc/1/mem"), may("/proc/1/environ"), may("/proc/1/ns/user"));
    child.kill("SIGKILL");
  });`;

/** A number of seconds that no other process sleeps. */
const seconds = () => `30000.${process.hrtime.bigint()}`;

/** A process that sleeps for so long, and has nothing of the run in its environment any more. */
function unmarkedWith(mark: string): number | undefined {
  return processesWith(mark).find((pid) => readFileSync(`/proc/${pid}/environ`).length === 0);
}

describe.each(SERVERS)("under bubblewrap of a server that is %s", (server) => {
  test("an agent can trace what it has started, and not the first process of its namespace", async () => {
    const { start } = await sandboxOf(server);
    const { closed } = await start([process.execPath, "-e", OPEN_MEMORY]);
    expect(await closed).toEqual({ code: 0, said: "own child: yes first: EACCES EACCES EACCES\n" });
  });

  test("a namespace whose first process does not end with bubblewrap is ended from outside", async () => {
    const mark = seconds();
    const { sandbox, runId, launch } = await sandboxOf(server);
    const whole = await launch(["sh", "-c", `setsid env -i sleep ${mark} & sleep 600`]);
    // As an agent would have it that could trace the first process, and then wipes what marks it.
    const tampered = whole.args.filter((word) => word !== "--die-with-parent");
    const { child } = start({ ...whole, args: tampered });
    const outlived = await waitFor(() => unmarkedWith(mark));
    child.kill("SIGKILL");
    await waitFor(() => child.signalCode ?? undefined);
    expect(isRunning(outlived)).toBe(true);
    expect(await sandbox.endLeftBehind(runId, child.pid)).toBe(true);
    expect(processesWith(mark)).toEqual([]);
  });

  test("it is noted before the program starts, and forgotten when it has ended", async () => {
    const { sandbox, runId, note, start } = await sandboxOf(server);
    const { closed, pid } = await start(["sleep", "0.2"]);
    await waitFor(() => existsSync(note) || undefined);
    expect(JSON.parse(readFileSync(note, "utf8")).pid).not.toBe(pid);
    expect((await closed).code).toBe(0);
    expect(await sandbox.endLeftBehind(runId, pid)).toBe(true);
    expect(existsSync(note)).toBe(false);
  });

  test("the end of a run that was not noted ends no process of another run that has the same user", async () => {
    const users = await findUserRange();
    const { sandbox, runId } = await sandboxOf(server);
    const user = users && server === "root" ? runUser(runId, users) : {};
    const other = spawn("sleep", ["600"], { ...user, env: {}, stdio: "ignore" });
    onTestFinished(() => endProcess(other.pid ?? 0));
    await once(other, "spawn");
    expect(await sandbox.endLeftBehind(runId)).toBe(true);
    expect(isRunning(other.pid ?? 0)).toBe(true);
  });

  test("a program whose namespace was not recorded is never started", async () => {
    const { launch } = await sandboxOf(server);
    const { note: _, ...unnoted } = await launch(["echo", "started"]);
    // The pipes that the host would hold open are not there.
    const { closed } = start({
      ...unnoted,
      command: "sh",
      args: ["-c", 'exec "$@" 3> /dev/null 4< /dev/null', "sh", unnoted.command, ...unnoted.args],
    });
    const { code, said } = await closed;
    expect(said).not.toContain("started");
    expect(code).not.toBe(0);
  });

  test("the next server ends it, whatever sandbox it has itself", async () => {
    const mark = seconds();
    const { folder, launch } = await sandboxOf(server);
    const whole = await launch(["sh", "-c", `setsid env -i sleep ${mark} & sleep 600`]);
    start({ ...whole, args: whole.args.filter((word) => word !== "--die-with-parent") });
    await waitFor(() => unmarkedWith(mark));
    await endAllNoted(`${folder}/notes`);
    expect(unmarkedWith(mark)).toBeUndefined();
  });

  test("an agent gets neither of the pipes by which its namespace was noted", async () => {
    const { start } = await sandboxOf(server);
    const { closed } = await start([
      "sh",
      "-c",
      "for fd in 3 4; do test -e /proc/$$/fd/$fd && echo has $fd; done; echo done",
    ]);
    expect(await closed).toEqual({ code: 0, said: "done\n" });
  });
});

test("a record that names a process which is another by now ends no process", async () => {
  const folder = folderWith({});
  const note = `${folder}/note`;
  const other = { pid: process.pid, startedAt: "1", bootId: "another", numberedIn: "pid:[1]" };
  for (const text of [JSON.stringify(other), "{", "{}", '{"pid": -1}']) {
    writeFileSync(note, text);
    expect(await endNoted(note)).not.toBe("alive");
  }
  expect(await endNoted(`${folder}/none`)).toBe("nothing noted");
});

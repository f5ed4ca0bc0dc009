import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { errorMessage, systemCode } from "../../errors/error.ts";
import type { MakePipe } from "../../platform/pipes.ts";
import { makeRunCgroup, placeProcess } from "../cgroups/run-cgroup.ts";
import { noteFirstProcess } from "./first-process.ts";
import type { Launch } from "./sandbox.ts";

/**
 * Starts what a sandbox says, in a process group of its own so that its children can be ended with it, and in its cgroup
 * before its first instruction.
 * @param makePipe makes its streams: no program of a run holds a socket of this process
 * @throws what Node throws, and what the kernel says of the cgroup; that a program is not there comes as an event of the child
 */
export function startProgram(launch: Launch, makePipe: MakePipe): ChildProcess {
  const { cwd, environment, user, note, cgroup } = launch;
  const group = cgroup && orSay("could not be made", () => makeRunCgroup(cgroup));
  // Standard input, output and error; what bubblewrap says, and the gate that it waits at.
  const streams: Stream[] = ["in", "out", "out", ...(note === undefined ? [] : (["out", "in"] as const))];
  if (launch.filter !== undefined) streams.push({ file: launch.filter });
  const gate = streams.length;
  if (group !== undefined) streams.push("in");
  const [command, ...args] = [
    ...(group === undefined ? [] : waitAtGate(gate)),
    launch.command,
    ...launch.args,
  ] as [string, ...string[]];
  const child = spawnWith(streams, makePipe, (stdio) =>
    spawn(command, args, { cwd, env: environment, stdio, detached: true, ...user }),
  );
  if (child.pid !== undefined) preferAsVictim(child.pid);
  if (group !== undefined) openGateInside(child, group, gate);
  if (note !== undefined) openGateWhenNoted(child, note);
  return child;
}

/**
 * Waits until a program has ended and its output has been read to the end, as the event `close` says of streams of Node's own.
 * @returns its exit code; nothing where a signal has ended it
 */
export async function untilClosed(child: ChildProcess): Promise<number | null> {
  const outputs = child.stdio.filter((stream) => stream instanceof Socket && stream.readable) as Socket[];
  const read = outputs.map((stream) => finished(stream, { writable: false }).catch(() => {}));
  const [code] = (await once(child, "exit")) as [number | null];
  await Promise.all(read);
  return code;
}

/** What a program has at a descriptor: a pipe that it reads from or writes to, or a file to read. */
type Stream = "in" | "out" | { file: string };

/** Gives a child its ends of pipes, and this process the others, where Node would have those of its own. */
function spawnWith(
  streams: readonly Stream[],
  makePipe: MakePipe,
  start: (stdio: number[]) => ChildProcess,
): ChildProcess {
  const theirs: number[] = [];
  const ours: (number | undefined)[] = [];
  try {
    for (const stream of streams) {
      if (typeof stream === "object") {
        theirs.push(openSync(stream.file, "r"));
        ours.push(undefined);
        continue;
      }
      const { read, write } = makePipe();
      theirs.push(stream === "in" ? read : write);
      ours.push(stream === "in" ? write : read);
    }
    const child = start(theirs);
    const stdio = ours
      .splice(0)
      .map((fd, at) =>
        fd === undefined
          ? null
          : new Socket({ fd, readable: streams[at] === "out", writable: streams[at] === "in" }),
      );
    const [stdin, stdout, stderr] = stdio;
    return Object.assign(child, { stdin, stdout, stderr, stdio });
  } finally {
    for (const fd of [...theirs, ...ours]) if (fd !== undefined) closeSync(fd);
  }
}

/** What waits at a gate is placed from outside: the program gets no right to do so, and nothing of it has run before. */
function openGateInside(child: ChildProcess, group: string, descriptor: number): void {
  const gate = child.stdio[descriptor] as Writable | null | undefined;
  gate?.on("error", () => {});
  if (child.pid === undefined) return;
  try {
    const { pid } = child;
    orSay("cannot be entered", () => placeProcess(group, pid));
    gate?.write(OPEN);
  } finally {
    // Without a line, the shell at the gate ends, and the program is never started.
    gate?.end();
  }
}

/** The error of the kernel has a code, which says nothing about the program. */
function orSay<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw new Error(`its cgroup ${what}: ${errorMessage(error)}`);
  }
}

/** Why a program could not be started: a sentence that begins with it. */
export function startFailure(command: string, error: unknown): string {
  const program = `program "${command}"`;
  switch (systemCode(error)) {
    case "ENOENT":
      return `${program} was not found on the machine that executes the run.`;
    case "EACCES":
      return `${program} is not executable by the user of the server or worker. Run chmod +x on it, and check that this user may enter its folders.`;
    case "ENOEXEC":
      return `${program} is not a program of this machine. A script needs a first line such as #!/bin/sh.`;
    case "E2BIG":
      return `${program} could not be started: the secrets granted to the run are too large in total for environment variables. Grant fewer or smaller secrets.`;
    case "ERR_INVALID_ARG_VALUE":
      // Node's own words quote the value, which may be a secret.
      return `${program} could not be started: its command is empty, or its command or a secret of the run contains a NUL character.`;
    default:
      return `${program} could not be started: ${errorMessage(error)}.`;
  }
}

/**
 * The descriptors of a program that is started with a gate: bubblewrap says on one what it has made, the other is
 * waited on.
 */
export const INFO_DESCRIPTOR = 3;
export const GATE_DESCRIPTOR = 4;

/**
 * Shell that stands before a program, and lets it start once a line has come. When the pipe ends without one, since
 * anyone who should have noted the namespace is gone, the program is never started.
 */
export const waitAtGate = (descriptor: number) =>
  ["/bin/sh", "-c", `read -r _ <&${descriptor} && exec "$@" ${descriptor}<&-`, "sh"] as const;

/** What opens a gate. */
const OPEN = "\n";
/** What bubblewrap says is a few lines. */
const MAX_INFO = 64 * 1024;

/**
 * Notes the first process of the namespace that a program of bubblewrap has made, and only then lets the program in it
 * start.
 */
function openGateWhenNoted(child: ChildProcess, note: string): void {
  const info = child.stdio[INFO_DESCRIPTOR] as Readable | null | undefined;
  const gate = child.stdio[GATE_DESCRIPTOR] as Writable | null | undefined;
  if (!info || !gate) return;
  for (const pipe of [info, gate]) pipe.on("error", () => {});
  let said = "";
  info.on("data", (bytes: Buffer) => {
    said = (said + bytes).slice(0, MAX_INFO);
    const first = firstProcessIn(said);
    if (first === undefined) return;
    info.destroy();
    // What has ended in the meantime is being cleared up already: nothing may begin behind its back.
    const isAlive = child.exitCode === null && child.signalCode === null;
    if (isAlive && child.pid !== undefined) noteAndOpen(first, child.pid);
    gate.end();
  });
  info.on("end", () => gate.end());

  function noteAndOpen(first: number, parent: number): void {
    try {
      noteFirstProcess(note, first, parent);
      gate?.write(OPEN);
    } catch (error) {
      child.stderr?.emit(
        "data",
        Buffer.from(`The sandbox could not be recorded: ${(error as Error).message}\n`),
      );
    }
  }
}

function firstProcessIn(said: string): number | undefined {
  try {
    return JSON.parse(said)["child-pid"];
  } catch {
    return undefined;
  }
}

/**
 * When there is no more memory, on the machine or for the service, the kernel kills the program with the highest score
 * (proc_pid_oom_score_adj(5)): an agent, and neither the server nor what else the machine is there for.
 */
export const AGENT_OOM_SCORE = 500;

/** Has the kernel prefer a program that was just started, and what it starts. Elsewhere than on Linux, there is nothing to do so. */
function preferAsVictim(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(AGENT_OOM_SCORE));
  } catch {
    // It has ended; or the server's own score is higher, which everything that it starts has too.
  }
}

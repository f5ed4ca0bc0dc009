import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { noteFirstProcess } from "./first-process.ts";

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
export const OPEN = "\n";
/** What bubblewrap says is a few lines. */
const MAX_INFO = 64 * 1024;

/**
 * Notes the first process of the namespace that a program of bubblewrap has made, and only then lets the program in it
 * start.
 */
export function openGateWhenNoted(child: ChildProcess, note: string): void {
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

import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { signalGroup } from "../sandbox/process-tree.ts";
import { startFailure, startProgram } from "../sandbox/start-program.ts";
import { readOutput } from "./read-output.ts";
import type { FromSupervisor, ProgramSpec, ToSupervisor } from "./supervisor-messages.ts";

/** A program as its host has it. */
export interface SupervisedProgram {
  ask(message: ToSupervisor): void;
  /** Ends it and what is in its process group. */
  kill(): void;
}

/** A message of the host without the number of its program. */
export type ProgramMessage = FromSupervisor extends infer Message
  ? Message extends FromSupervisor
    ? Omit<Message, "id">
    : never
  : never;

/** A process that left the group can hold the program's output open; no one waits longer for it. */
const OUTPUT_LINGER_MS = 1_000;

/** Starts a program and tells of it until it has closed. @returns nothing when it could not be started */
export function superviseProgram(
  spec: ProgramSpec,
  send: (message: ProgramMessage) => void,
): SupervisedProgram | undefined {
  const { launch } = spec;
  const fail = (error: unknown) =>
    send({ event: "not_started", message: startFailure(launch.command, error) });
  let child: ChildProcess;
  try {
    // Node reports some failures to start by an event, and throws others: a NUL or too large an environment.
    child = startProgram(launch);
  } catch (error) {
    fail(error);
    return undefined;
  }
  const { pid } = child;
  if (pid === undefined) {
    child.once("error", fail);
    return undefined;
  }
  child.on("error", () => {});
  send({ event: "started", pid });
  const output = readOutput(child, spec, send);
  writeInput(child, spec);
  const kill = () => void signalGroup(pid, "SIGKILL");
  child.once("exit", async (code, signal) => {
    // What it has left behind in its group goes with it.
    kill();
    send({ event: "exited", end: signal ? { kind: "killed", signal } : { kind: "exited", code: code ?? 0 } });
    await lastOutput(child);
    output.end();
    send({ event: "closed" });
  });
  return { kill, ask: (message) => void answer(message, child, output, send) };
}

/** A program need not read its standard input; one that does not makes the pipe break, which is fine. */
function writeInput({ stdin }: ChildProcess, { input, keepsInput }: ProgramSpec): void {
  if (!stdin) return;
  stdin.on("error", () => {});
  if (keepsInput) stdin.write(input);
  else stdin.end(input);
}

async function answer(
  message: ToSupervisor,
  { stdin }: ChildProcess,
  output: ReturnType<typeof readOutput>,
  send: (message: ProgramMessage) => void,
): Promise<void> {
  switch (message.ask) {
    case "write": {
      const taken = stdin !== null && (await write(stdin, message.text));
      // What is sent after this was read after the message was written.
      output.flush();
      return send({ event: "written", write: message.write, taken });
    }
    case "end_input":
      return void stdin?.end();
    case "more":
      return output.more(message.bytes);
    case "discard":
      return output.discard();
  }
}

/** @returns whether the pipe has taken it */
function write(input: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // A program that ends while it should read closes the pipe, and the callback of a full one never comes.
    const onClose = () => resolve(false);
    input.once("close", onClose);
    input.write(text, (error) => {
      input.off("close", onClose);
      resolve(!error);
    });
  });
}

/** Waits until both pipes are read to their ends, or closes them when someone holds them open. */
async function lastOutput(child: ChildProcess): Promise<void> {
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  const linger = setTimeout(() => {
    for (const pipe of pipes) pipe.destroy();
  }, OUTPUT_LINGER_MS);
  await Promise.allSettled(pipes.map((pipe) => finished(pipe, { writable: false })));
  clearTimeout(linger);
}

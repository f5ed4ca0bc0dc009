import type { ChildProcess } from "node:child_process";
import { finished } from "node:stream/promises";
import type { MakePipe } from "../../platform/pipes.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import { signalGroup } from "../sandbox/process-tree.ts";
import { startFailure, startProgram } from "../sandbox/start-program.ts";
import { endLeftAlone } from "./end-left-alone.ts";
import { createOutbox } from "./outbox.ts";
import { createProgramInput } from "./program-input.ts";
import type { ProgramNetwork } from "./program-network.ts";
import { readOutput } from "./read-output.ts";
import type { Spool } from "./spool.ts";
import type {
  FromSupervisor,
  LeftProgram,
  ProgramEnd,
  ProgramSpec,
  ToSupervisor,
} from "./supervisor-messages.ts";

/** A program as its supervisor has it. */
export interface SupervisedProgram {
  ask(message: ToSupervisor): void;
  /** Ends it and what is in its process group. */
  kill(): void;
  /** Ends all of it, because its turn is not held any more. */
  fence(): Promise<void>;
  /** What another executor needs to take it up. */
  left(): Omit<LeftProgram, "id" | "runId" | "state">;
  /** Tells again what was told before, and nobody is known to have kept. */
  tellAgain(): void;
}

/** A message of the supervisor without the number of its program. */
export type ProgramMessage = FromSupervisor extends infer Message
  ? Message extends FromSupervisor
    ? Omit<Message, "id">
    : never
  : never;

interface SuperviseDeps {
  makePipe: MakePipe;
  /** Where its output waits while nobody keeps it. */
  spool: Spool | undefined;
  /** Its way out, which is closed with it. */
  network: ProgramNetwork | undefined;
  /** Is told before something that the program has written is read. */
  onWork(): void;
}

/** A process that left the group can hold the program's output open; no one waits longer for it. */
const OUTPUT_LINGER_MS = 1_000;

/**
 * Starts a program and tells of it until it has closed.
 * @returns nothing when it could not be started
 */
export function superviseProgram(
  spec: ProgramSpec,
  send: (message: ProgramMessage) => void,
  { makePipe, spool, network, onWork }: SuperviseDeps,
): SupervisedProgram | undefined {
  const { launch } = spec;
  const fail = (error: unknown) => {
    network?.close();
    send({ event: "not_started", message: startFailure(launch.command, error) });
  };
  let child: ChildProcess;
  try {
    // Node reports some failures to start by an event, and throws others: a NUL or too large an environment.
    child = startProgram(launch, makePipe);
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

  const startedAt = performance.now();
  /** All that its output has reported: of what lines tell the last counts. */
  let reported: OutputReport = {};
  const input = createProgramInput(child, spec);
  const outbox = createOutbox((pieces) => {
    if (pieces.some(({ stream }) => stream !== "event")) input.heard();
    send({ event: "output", pieces: [...pieces] });
  }, spool);
  const output = readOutput(child, spec, outbox, {
    onWork,
    tell(report) {
      input.heard();
      reported = { ...reported, ...report };
      send({ event: "report", report });
    },
  });
  let checkpoint: unknown;
  let end: ProgramEnd | undefined;
  let isFenced = false;
  let isClosed = false;
  let lastWrite = 0;
  // The number of one that has ended may be another process's.
  const kill = () => void (end ?? signalGroup(pid, "SIGKILL"));

  child.once("exit", async (code, signal) => {
    // What it has left behind in its group goes with it.
    kill();
    end = endOf(code, signal);
    if (isFenced) end = { kind: "fenced" };
    network?.close();
    send({ event: "exited", end });
    await lastOutput(child);
    output.end();
    outbox.whenSent(() => {
      isClosed = true;
      send({ event: "closed" });
    });
  });

  async function answer(message: ToSupervisor): Promise<void> {
    switch (message.ask) {
      case "write": {
        reported = { ...reported, isIdle: false };
        lastWrite = message.write;
        const taken = await input.write(message);
        // What is sent after this was read after the message was written.
        output.flush();
        return send({ event: "written", write: message.write, taken });
      }
      case "end_input":
        return input.end();
      case "say":
        return output.say(message.bytes, message.at);
      case "more":
        checkpoint = message.checkpoint;
        return output.more();
      case "discard":
        return output.discard();
      case "refuse_models":
        return network?.refuseModels();
      case "forget":
        return outbox.close();
    }
  }

  return {
    kill,
    ask: (message) => void answer(message),
    async fence() {
      isFenced = true;
      kill();
      outbox.close();
      await endLeftAlone(launch);
    },
    left: () => ({
      ...{ pid, checkpoint, report: reported, writes: input.written() },
      lastWrite,
      ...(network ? { network: network.report() } : {}),
      ageMs: performance.now() - startedAt,
    }),
    tellAgain() {
      outbox.sendAgain();
      network?.tellAgain();
      if (end) send({ event: "exited", end });
      if (isClosed) send({ event: "closed" });
    },
  };
}

function endOf(code: number | null, signal: NodeJS.Signals | null): ProgramEnd {
  return signal ? { kind: "killed", signal } : { kind: "exited", code: code ?? 0 };
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

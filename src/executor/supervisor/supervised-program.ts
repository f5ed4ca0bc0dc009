import { type ChildProcess, execFile } from "node:child_process";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import type { MakePipe } from "../../platform/pipes.ts";
import { endRunCgroup } from "../cgroups/run-cgroup.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import type { NetworkReport } from "../network/network-log.ts";
import { openLocalEndpoints } from "../network/proxy/local-endpoints.ts";
import type { TakeRelay } from "../network/proxy/relay.ts";
import { openRunProxy, type RunProxy } from "../network/proxy/run-proxy.ts";
import { LOCAL_ORIGIN } from "../network/proxy-environment.ts";
import { endNoted } from "../sandbox/first-process.ts";
import { killLeftovers, signalGroup } from "../sandbox/process-tree.ts";
import type { Launch } from "../sandbox/sandbox.ts";
import { startFailure, startProgram } from "../sandbox/start-program.ts";
import { createOutbox, type Spool } from "./outbox.ts";
import { readOutput } from "./read-output.ts";
import type {
  EarlierWrite,
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
type ProgramMessage = FromSupervisor extends infer Message
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
      pid,
      checkpoint,
      report: reported,
      writes: input.written(),
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

/** A container that is not gone by then is left to whoever starts on this machine next. */
const REMOVE_MS = 10_000;

/** Ends what is left of a program whose process group was ended, while nobody is there who knows its sandbox. */
async function endLeftAlone({ note, user, removal, cgroup, environment: of }: Launch): Promise<void> {
  if (removal) {
    const { command, args, environment } = removal;
    await promisify(execFile)(command, [...args], { env: environment, timeout: REMOVE_MS }).catch(() => {});
  }
  if (cgroup) await endRunCgroup(cgroup.folder);
  if (note !== undefined) await endNoted(note);
  const runId = of.MILLRACE_RUN_ID;
  if (note === undefined && runId !== undefined) await killLeftovers(runId, user?.uid);
}

/** The standard input of a supervised program. */
export interface SupervisedInput {
  /** @returns whether the pipe has taken the text */
  write(request: { text: string; key: string | undefined }): Promise<boolean>;
  end(): void;
  /** Says that the program has written something. */
  heard(): void;
  /** What was written with a key, in its order. */
  written(): EarlierWrite[];
}

/** A program need not read its standard input; one that does not makes the pipe break, which is fine. */
function createProgramInput(
  { stdin }: Pick<ChildProcess, "stdin">,
  { input, keepsInput }: Pick<ProgramSpec, "input" | "keepsInput">,
): SupervisedInput {
  const writes = new Map<string, EarlierWrite>();
  let unanswered: EarlierWrite[] = [];
  stdin?.on("error", () => {});
  if (keepsInput) stdin?.write(input);
  else stdin?.end(input);
  return {
    async write({ text, key }) {
      const write: EarlierWrite = { key: key ?? "", taken: false, isAnswered: false };
      if (key !== undefined) writes.set(key, write);
      write.taken = stdin !== null && (await writeTo(stdin, text));
      if (write.taken) unanswered.push(write);
      return write.taken;
    },
    end: () => void stdin?.end(),
    heard() {
      for (const write of unanswered) write.isAnswered = true;
      unanswered = [];
    },
    written: () => [...writes.values()],
  };
}

function writeTo(input: Writable, text: string): Promise<boolean> {
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

/** The network of one program, and what is told of it. */
export interface ProgramNetwork {
  /** What the program has reached and used so far. */
  report(): NetworkReport;
  /** Tells it once more: somebody else listens now. */
  tellAgain(): void;
  /** Has models answer no more. */
  refuseModels(): void;
  /** Ends it with the program, and tells what that has reached. */
  close(): void;
}

/** A program can make thousands of requests in a second. */
const TELL_MS = 1_000;

/**
 * Opens the network of a program that is about to start.
 * @returns the network, and the launch with the addresses in it
 * @throws what the system says when it cannot listen
 */
export async function openProgramNetwork(
  launch: Launch,
  send: (message: ProgramMessage) => void,
  takeRelay: TakeRelay,
): Promise<{ network: ProgramNetwork; launch: Launch }> {
  let timer: NodeJS.Timeout | undefined;
  const onChange = () => {
    timer ??= setTimeout(tell, TELL_MS).unref();
  };
  const { proxy, origin } = await openFor(launch, onChange, takeRelay);
  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    send({ event: "network", network: report() });
  }
  const report = (): NetworkReport => ({
    reaches: proxy.reaches(),
    usage: [...proxy.usage()],
    troubles: [...proxy.troubles()],
  });
  const network: ProgramNetwork = {
    report,
    tellAgain: tell,
    refuseModels: proxy.refuseModels,
    close() {
      proxy.close();
      tell();
    },
  };
  return { network, launch: origin === undefined ? launch : launchAt(origin, launch) };
}

async function openFor(
  { proxy, endpoints }: Launch,
  onChange: () => void,
  takeRelay: TakeRelay,
): Promise<{ proxy: RunProxy; origin?: string }> {
  if (proxy) return { proxy: await openRunProxy(proxy, onChange, takeRelay) };
  if (!endpoints) throw new Error("the program has no proxy");
  const local = await openLocalEndpoints(endpoints, onChange);
  return { proxy: local, origin: local.origin };
}

function launchAt(origin: string, launch: Launch): Launch {
  const placed = (text: string) => text.replaceAll(LOCAL_ORIGIN, () => origin);
  const environment = Object.entries(launch.environment).map(([name, value]) => [name, placed(value)]);
  return { ...launch, args: launch.args.map(placed), environment: Object.fromEntries(environment) };
}

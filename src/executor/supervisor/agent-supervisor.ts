import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { newUid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { exchangeFrames } from "../../platform/frames.ts";
import { connectPrivately } from "../../platform/private-socket.ts";
import { killQuietly, killTagged } from "../../platform/processes.ts";
import { spawnAgentSupervisor } from "../../platform/threads.ts";
import { type AgentProgram, followProgram, type ProgramListener } from "./agent-program.ts";
import {
  type FromSupervisor,
  type LeftProgram,
  type ProgramSpec,
  SUPERVISOR_VERSION,
  type ToSupervisor,
} from "./supervisor-messages.ts";
import {
  environmentOfPlace,
  FIRST_CONNECTION,
  FOLDER_VARIABLE,
  programAtWork,
  SOCKET,
  type SupervisorPlace,
} from "./supervisor-place.ts";

export interface AgentSupervisor {
  /** Of the executor. One that takes up what another has left goes by the uid of that. */
  readonly uid: string;
  /** Programs that an earlier executor has left, which go on. Each has to be taken up, or ended. */
  readonly left: readonly LeftProgram[];
  start(spec: ProgramSpec, listener: ProgramListener): AgentProgram;
  /** Takes up a program that was left. */
  takeUp(left: LeftProgram, listener: ProgramListener): AgentProgram;
  /** Ends a program that was left, with all that it has started. */
  end(left: LeftProgram): Promise<void>;
  /** Says for how long the turn of a run's program is held from now on, in milliseconds. */
  hold(runId: string, forMs: number): void;
  /** Lets go of the supervisor: it ends, unless there are programs that another executor can take up. */
  stop(): Promise<void>;
}

export interface AgentSupervisorOptions {
  log: Log;
  /** Where it is found by the next executor: a folder for this user alone. */
  folder: string;
  uid?: string;
  program?: URL | undefined;
}

/**
 * A supervisor that has programs and says nothing for so long, though it was asked, is held up by the one that it works for, which
 * is ended; when that does not help, the supervisor is as good as ended. A busy machine is not.
 */
const SILENCE_MS = 10_000;
/** How long a supervisor may take to end with the server. */
const STOP_MS = 5_000;

type Followed = ReturnType<typeof followProgram>;

/** Takes up the supervisor that an earlier executor has left in a folder, or starts one. */
export async function openAgentSupervisor(options: AgentSupervisorOptions): Promise<AgentSupervisor> {
  return startAgentSupervisor(options, await findSupervisor(options.folder));
}

/**
 * Starts the process whose children the programs of runs are, unless one was found. When it ends by itself, its programs are
 * lost, and the next one that is asked for finds a new process.
 */
export function startAgentSupervisor(
  options: AgentSupervisorOptions,
  found?: Awaited<ReturnType<typeof findSupervisor>>,
): AgentSupervisor {
  return new Supervisor(options, found);
}

class Supervisor implements AgentSupervisor {
  readonly uid: string;
  readonly left: readonly LeftProgram[];
  readonly #options: AgentSupervisorOptions;
  readonly #programs = new Map<number, Followed>();
  /** What was told of programs that nobody has taken up yet. */
  readonly #early: Map<number, FromSupervisor[]>;
  readonly #idsOfRuns = new Map<string, number>();
  #lastId: number;
  #isStopping = false;
  #current: SupervisorLink | undefined;

  constructor(options: AgentSupervisorOptions, found?: Awaited<ReturnType<typeof findSupervisor>>) {
    const { uid, programs: left } = found?.left ?? { uid: options.uid ?? newUid(), programs: [] };
    this.uid = uid;
    this.left = left;
    this.#options = options;
    this.#early = new Map(left.map(({ id }) => [id, []]));
    this.#lastId = Math.max(0, ...left.map(({ id }) => id));
    this.#current = found ? this.#follow(found.link) : this.#open();
  }

  start(spec: ProgramSpec, listener: ProgramListener): AgentProgram {
    this.#lastId += 1;
    const id = this.#lastId;
    const followed = followProgram(id, listener, (message) => this.#ask(message));
    if (this.#isStopping) {
      followed.lose();
      return followed.program;
    }
    this.#current ??= this.#open();
    this.#ask({ ask: "start", id, spec });
    return this.#add(id, spec.keeping?.runId, followed);
  }

  takeUp(of: LeftProgram, listener: ProgramListener): AgentProgram {
    const followed = followProgram(of.id, listener, (message) => this.#ask(message), of);
    const said = this.#early.get(of.id) ?? [];
    this.#early.delete(of.id);
    const program = this.#add(of.id, of.runId, followed);
    for (const message of said) followed.hear(message);
    if (!this.#current) followed.lose();
    return program;
  }

  async end(of: LeftProgram): Promise<void> {
    const program = this.takeUp(of, { onOutput: async () => false });
    this.#ask({ ask: "end", id: of.id });
    await program.exited;
    program.forget();
  }

  hold(runId: string, forMs: number): void {
    const id = this.#idsOfRuns.get(runId);
    if (id !== undefined) this.#ask({ ask: "hold", id, forMs });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const ending = this.#current;
    if (!ending) return;
    const exited = new Promise<void>((resolve) => ending.onEnd(() => resolve()));
    // Those whose end could not be stored are there for the next executor too.
    const goesOn = this.#early.size > 0 || this.#idsOfRuns.size > 0;
    ending.disconnect();
    if (goesOn) return;
    const kill = setTimeout(ending.kill, STOP_MS);
    await exited;
    clearTimeout(kill);
  }

  /** A supervisor that is gone has lost its programs already: no one waits for an answer. */
  #ask(message: ToSupervisor): void {
    this.#current?.send(message);
  }

  #open(): SupervisorLink {
    const { log, folder, program } = this.#options;
    const onError = (said: string) => log.error({ said }, "the agent supervisor wrote to standard error");
    return this.#follow(startSupervisor({ uid: this.uid, folder }, onError, program));
  }

  #follow(link: SupervisorLink): SupervisorLink {
    let isHeard = true;
    let silences = 0;
    link.onMessage((message) => {
      isHeard = true;
      const waiting = this.#early.get(message.id);
      if (waiting) waiting.push(message);
      else this.#programs.get(message.id)?.hear(message);
    });
    const listen = () => {
      silences = isHeard ? 0 : silences + 1;
      if (silences === 1) this.#endAtWork();
      else if (silences > 1) link.kill();
      isHeard = this.#programs.size === 0;
      if (!isHeard) link.send({ ask: "alive", id: 0 });
    };
    // Where it was this process that slept, what has come in the meantime is read before the supervisor is judged.
    const watch = setInterval(() => setImmediate(listen), SILENCE_MS);
    watch.unref();
    link.onEnd((why) => {
      clearInterval(watch);
      if (this.#current === link) this.#loseAll(why);
    });
    return link;
  }

  #loseAll(why: object): void {
    this.#current = undefined;
    if (!this.#isStopping)
      this.#options.log.error(why, "the agent supervisor exited, and its runs were lost");
    for (const lost of this.#programs.values()) lost.lose();
  }

  #endAtWork(): void {
    const id = programAtWork(this.#options.folder);
    if (id === undefined || !this.#programs.get(id)?.endHoldingUp()) return;
    this.#options.log.error(
      { program: id },
      "the agent supervisor did not respond, and the program that it worked for was ended",
    );
  }

  #add(id: number, runId: string | undefined, followed: Followed): AgentProgram {
    this.#programs.set(id, followed);
    void followed.program.closed.then(() => this.#programs.delete(id));
    if (runId === undefined) return followed.program;
    this.#idsOfRuns.set(runId, id);
    return {
      ...followed.program,
      forget: () => {
        if (this.#idsOfRuns.get(runId) === id) this.#idsOfRuns.delete(runId);
        followed.program.forget();
      },
    };
  }
}

/** The connection to a supervisor. */
interface SupervisorLink {
  send(message: ToSupervisor): void;
  /** What came before there is a listener is told to it first. */
  onMessage(listener: (message: FromSupervisor) => void): void;
  /** Is called once, when it has ended, or cannot be reached any more. */
  onEnd(listener: (why: object) => void): void;
  kill(): void;
  /** Says nothing more to it: it ends, unless programs go on. */
  disconnect(): void;
}

type Left = Extract<FromSupervisor, { event: "left" }>;

/** How long a supervisor may take to say what it has. */
const MAX_GREETING_MS = 5_000;

/** Starts a supervisor. What it writes to standard error is passed on. */
function startSupervisor(
  place: SupervisorPlace,
  onError: (said: string) => void,
  program?: URL,
): SupervisorLink {
  const child = spawnAgentSupervisor(environmentOfPlace(place), program);
  const stream = child.stdio[FIRST_CONNECTION] as Duplex | null | undefined;
  child.stderr?.on("data", (said: Buffer) => onError(said.toString("utf8")));
  const ended = new Promise<object>((resolve) => {
    // What could not be started has no end.
    child.once("error", (error) => child.pid === undefined && resolve({ error: error.message }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // It may outlive this process, which does not wait for it.
  child.unref();
  const { next: _, ...link } = linkOver(stream);
  let isDisconnected = false;
  // What can no longer be talked to has to end.
  stream?.once("close", () => isDisconnected || child.kill("SIGKILL"));
  return {
    ...link,
    kill: () => void child.kill("SIGKILL"),
    onEnd: (listener) => void ended.then(listener),
    disconnect() {
      isDisconnected = true;
      link.disconnect();
      child.stderr?.destroy();
    },
  };
}

/**
 * Connects to the supervisor that an earlier process has left in a folder. One that does not understand this process, or does not
 * answer, is ended.
 */
async function findSupervisor(folder: string): Promise<{ link: SupervisorLink; left: Left } | undefined> {
  // It makes its socket when it starts, and takes it away when it ends.
  if (!existsSync(join(folder, SOCKET))) return undefined;
  const endIt = () => killTagged(FOLDER_VARIABLE, folder);
  const socket = await connectPrivately(folder, SOCKET);
  const { next, ...link } = linkOver(socket);
  const left = await Promise.race([next, sleep(MAX_GREETING_MS, undefined, { ref: false })]);
  if (!socket || left?.event !== "left" || left.version !== SUPERVISOR_VERSION) {
    socket?.destroy();
    await endIt();
    return undefined;
  }
  const { pid } = left;
  const kill = () => killQuietly(pid);
  return {
    link: { ...link, kill, onEnd: (listener) => void socket.once("close", () => listener({ pid })) },
    left,
  };
}

function linkOver(stream: Duplex | null | undefined) {
  const early: FromSupervisor[] = [];
  let hear: (message: FromSupervisor) => void = (message) => void early.push(message);
  const next = new Promise<FromSupervisor | undefined>((resolve) => {
    stream?.once("close", () => resolve(undefined));
    if (!stream) resolve(undefined);
    const buffer = hear;
    // What comes right after the first message waits for a listener.
    hear = (message) => {
      hear = buffer;
      resolve(message);
    };
  });
  stream?.on("error", () => {});
  const send = stream ? exchangeFrames(stream, (message) => hear(message as FromSupervisor)) : () => {};
  return {
    next,
    send: (message: ToSupervisor) => send(message),
    onMessage(listener: (message: FromSupervisor) => void) {
      hear = listener;
      for (const message of early.splice(0)) listener(message);
    },
    disconnect: () => void stream?.destroy(),
  };
}

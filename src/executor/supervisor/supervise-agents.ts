import { Socket } from "node:net";
import { exchangeFrames } from "../../platform/frames.ts";
import { closeInheritedFiles } from "../../platform/inherited-files.ts";
import { pipeMaker } from "../../platform/pipes.ts";
import { lowerPriority } from "../../platform/processes.ts";
import { relayKeeper } from "../network/proxy/relay.ts";
import { hasProxy } from "../sandbox/sandbox.ts";
import { startFailure } from "../sandbox/start-program.ts";
import { openSpool } from "./outbox.ts";
import {
  openProgramNetwork,
  type ProgramNetwork,
  type SupervisedProgram,
  superviseProgram,
} from "./supervised-program.ts";
import {
  type FromSupervisor,
  type Keeping,
  type LeftProgram,
  SUPERVISOR_VERSION,
  type ToSupervisor,
} from "./supervisor-messages.ts";
import {
  FIRST_CONNECTION,
  listenInPlace,
  noteProgramAtWork,
  placeOfEnvironment,
  spoolFolder,
} from "./supervisor-place.ts";

type Start = Extract<ToSupervisor, { ask: "start" }>;

/**
 * The agent supervisor: a process of its own, whose children the programs of runs are. Starting a program copies the tables
 * of the memory of the process that starts it, which takes long where that is much, and looking for secrets in what
 * programs write takes time; the server that takes deliveries does neither for agents. It is told what to do by the server or
 * the worker that has started it. When that has ended without a word, agents go on for a while: whoever is started in its place
 * connects, and takes them up.
 */
export function superviseAgents(): void {
  closeInheritedFiles();
  // Programs of runs inherit it: where there is not enough of the machine for all, what takes deliveries goes first.
  lowerPriority();
  const { uid, folder } = placeOfEnvironment(process.env);
  const makePipe = pipeMaker(folder);
  const takeRelay = relayKeeper();
  const noteAtWork = noteProgramAtWork(folder);
  const programs = new Map<number, SupervisedProgram>();
  /** What was asked of programs whose network is being opened. */
  const opening = new Map<number, ToSupervisor[]>();
  const kept = createKeptPrograms(leave);
  /** Whether somebody who looks for this process finds it. */
  let isFound = true;
  let connection: Socket | undefined;
  let sendFrame: (value: unknown) => void = () => {};

  function send(message: FromSupervisor): void {
    const isOver = message.event === "not_started" || (message.event === "closed" && !kept.has(message.id));
    if (isOver) programs.delete(message.id);
    sendFrame(message);
  }

  function start({ id, spec }: Start, network?: ProgramNetwork): void {
    const spool = spec.keeping && openSpool(spoolFolder(folder));
    const program = superviseProgram(spec, telling(id), {
      makePipe,
      spool,
      network,
      onWork: () => noteAtWork(id),
    });
    if (!program) return;
    programs.set(id, program);
    if (spec.keeping) kept.add(id, program, spec.keeping);
  }

  /** Nothing of a program runs before its network is there, and none starts whose executor has gone in the meantime. */
  async function startInNetwork(message: Start): Promise<void> {
    const asking = connection;
    const early: ToSupervisor[] = [];
    opening.set(message.id, early);
    let network: ProgramNetwork | undefined;
    try {
      const opened = await openProgramNetwork(message.spec.launch, telling(message.id), takeRelay);
      network = opened.network;
      opening.delete(message.id);
      if (connection !== asking || !asking) return network.close();
      start({ ...message, spec: { ...message.spec, launch: opened.launch } }, network);
      for (const each of early) hear(each);
    } catch (error) {
      opening.delete(message.id);
      network?.close();
      const failure = startFailure("network proxy", error);
      telling(message.id)({ event: "not_started", message: failure });
    }
  }

  const telling = (id: number) => (sent: object) => send({ ...sent, id } as FromSupervisor);

  function hear(message: ToSupervisor): void {
    if (message.id !== 0) noteAtWork(message.id);
    const early = opening.get(message.id);
    if (early) return void early.push(message);
    if (message.ask === "start")
      void (hasProxy(message.spec.launch) ? startInNetwork(message) : start(message));
    else if (message.ask === "alive") send({ event: "alive", id: 0 });
    else if (message.ask === "hold") kept.hold(message.id, message.forMs);
    else if (message.ask === "end") void programs.get(message.id)?.fence();
    else programs.get(message.id)?.ask(message);
    if (message.ask !== "forget") return;
    kept.forget(message.id);
    programs.delete(message.id);
  }

  function connect(socket: Socket): void {
    const before = connection;
    connection = socket;
    before?.destroy();
    socket.on("error", () => {});
    sendFrame = exchangeFrames(socket, (message) => {
      if (socket === connection) hear(message as ToSupervisor);
    });
    socket.once("close", () => {
      if (socket !== connection) return;
      connection = undefined;
      sendFrame = () => {};
      goOnAlone();
    });
  }

  /** Whoever listened has ended without a word: what another one cannot take up must not go on. */
  function goOnAlone(): void {
    const ending = [...programs]
      .filter(([id]) => !isFound || !kept.has(id))
      .map(([id, program]) => {
        programs.delete(id);
        return program.fence();
      });
    void Promise.allSettled(ending).then(() => {
      if (connection) return;
      if (isFound) kept.leftAlone();
      else leave();
    });
  }

  function leave(): void {
    for (const program of programs.values()) program.kill();
    process.exit();
  }

  connect(new Socket({ fd: FIRST_CONNECTION, readable: true, writable: true }));
  listenInPlace(folder, (socket) => {
    connect(socket);
    const left = kept.listLeft();
    send({ event: "left", id: 0, version: SUPERVISOR_VERSION, uid, pid: process.pid, programs: left });
    for (const id of kept.foundAgain()) programs.delete(id);
  }).catch((error) => {
    isFound = false;
    process.stderr.write(
      `agents end with the server, because no later one can find this process: ${error}\n`,
    );
  });
  // A terminal and a service manager send these to all processes; what they mean for runs is the server's to say.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  // Whoever has read it may be gone.
  process.stderr.on("error", () => {});
}

interface Kept {
  program: SupervisedProgram;
  keeping: Keeping;
  /** Until when its turn is held, on the clock of `performance`. */
  heldUntil: number;
  /** Resolves when nothing is left of it; from when its end was begun with. */
  fencing: Promise<void> | undefined;
}

/** The programs that go on when whoever has started them has ended. */
export interface KeptPrograms {
  has(id: number): boolean;
  add(id: number, program: SupervisedProgram, keeping: Keeping): void;
  /** Says for how long the turn of a program is held. */
  hold(id: number, forMs: number): void;
  forget(id: number): void;
  /** Says that nobody is connected any more. */
  leftAlone(): void;
  listLeft(): LeftProgram[];
  /**
   * Says that somebody is connected again, and knows what `listLeft` has listed: all that was not kept is told to them.
   * @returns the programs that are left to nobody
   */
  foundAgain(): number[];
}

const LOOK_MS = 200;

/**
 * Ends a program when its turn is not held any more: by then the server may give the run to somebody else. A process that was
 * stopped (SIGSTOP) or cut off does not have to notice that by itself.
 * @param onNothingLeft is called when nobody is connected and no program is left that somebody could take up
 */
export function createKeptPrograms(onNothingLeft: () => void): KeptPrograms {
  const all = new Map<number, Kept>();
  let isAlone = false;

  function look(): void {
    const now = performance.now();
    for (const kept of all.values()) if (kept.heldUntil < now) kept.fencing ??= kept.program.fence();
    const fences = [...all.values()].map(({ fencing }) => fencing);
    if (!isAlone || fences.some((fencing) => !fencing)) return;
    // Not before the last of them is over: what is left would go on after this process.
    void Promise.allSettled(fences).then(() => {
      if (isAlone) onNothingLeft();
    });
  }

  setInterval(look, LOOK_MS).unref();
  return {
    has: (id) => all.has(id),
    add(id, program, keeping) {
      const heldUntil = performance.now() + (keeping.holdMs ?? Number.POSITIVE_INFINITY);
      all.set(id, { program, keeping, heldUntil, fencing: undefined });
    },
    hold(id, forMs) {
      const kept = all.get(id);
      if (kept && !kept.fencing) kept.heldUntil = performance.now() + forMs;
    },
    forget: (id) => void all.delete(id),
    leftAlone() {
      isAlone = true;
      for (const kept of all.values())
        kept.heldUntil = Math.min(kept.heldUntil, performance.now() + kept.keeping.aloneMs);
      look();
    },
    listLeft: () =>
      [...all]
        .filter(([, { fencing }]) => !fencing)
        .map(
          ([
            id,
            {
              program,
              keeping: { runId, state },
            },
          ]) => ({ ...program.left(), id, runId, state }),
        ),
    foundAgain() {
      isAlone = false;
      const fenced = [...all].filter(([, { fencing }]) => fencing).map(([id]) => id);
      for (const id of fenced) all.delete(id);
      for (const kept of all.values()) {
        if (kept.keeping.holdMs === undefined) kept.heldUntil = Number.POSITIVE_INFINITY;
        kept.program.tellAgain();
      }
      return fenced;
    },
  };
}

import { deferred } from "../../concurrency/promises.ts";
import type { OutputPiece } from "../../runs/output/transcript.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import type { NetworkReport } from "../network/network-log.ts";
import { signalGroup } from "../sandbox/process-tree.ts";
import type {
  EarlierWrite,
  FromSupervisor,
  LeftProgram,
  ProgramEnd,
  ToSupervisor,
} from "./supervisor-messages.ts";

/** What a program tells while it runs. */
export interface ProgramListener {
  /**
   * The program is read on as far as the pieces are kept.
   * @returns once they are, whether more would be; if not, what comes is not worth looking for secrets in
   */
  onOutput(pieces: readonly OutputPiece[]): Promise<boolean>;
  /** Where the transcript is after the pieces that were passed on last: from there another executor goes on. */
  checkpoint?(): unknown;
  onReport?(report: OutputReport): void;
  /** Is told all that the proxy of the program has seen so far. */
  onNetwork?(network: NetworkReport): void;
}

/** What became of a text that a program was written. */
export interface WrittenInput {
  /** Whether the program's pipe has taken it. */
  isTaken: boolean;
  /** Whether the program has written anything after that; known when it has, or has ended. */
  isAnswered: Promise<boolean>;
}

/** The standard input of a program that reads on. */
export interface ProgramInput {
  /** @param key names the text for an executor that takes the program up later */
  write(text: string, key?: string): Promise<WrittenInput>;
  end(): void;
  /** What earlier executors have written with a key. */
  earlier: ReadonlyMap<string, WrittenInput>;
}

/** A program that the host was asked to start. */
export interface AgentProgram {
  /** Its process, or why there is none. */
  started: Promise<{ pid: number } | NotStarted | Lost>;
  /** It has ended, and its process group with it; says nothing of one that could not be started. */
  exited: Promise<ProgramEnd | HeldUp | Lost>;
  /** Nothing more comes from it, and all that came is kept. */
  closed: Promise<void>;
  input: ProgramInput;
  /** Puts a line among its output. @returns whether the program is there to do so */
  say(at: string, bytes: Uint8Array): boolean;
  /** Has the models that it asks through its proxy answer no more. */
  refuseModels(): void;
  /** Says that all of it is known, and stored: nobody has to take it up. */
  forget(): void;
}

export interface NotStarted {
  kind: "not_started";
  message: string;
}

/** The host has ended before the program did. */
export interface Lost {
  kind: "lost";
}

const LOST: Lost = { kind: "lost" };
const NOT_TAKEN: WrittenInput = { isTaken: false, isAnswered: Promise.resolve(false) };

/** The program has been ended because its supervisor worked for it and did not respond. */
export interface HeldUp {
  kind: "held_up";
}

/** A program on the executor's side of its supervisor. */
export interface FollowedProgram {
  program: AgentProgram;
  hear(message: FromSupervisor): void;
  lose(): void;
  /** Ends it, because its supervisor works for it and does not respond. @returns whether there was a process to end */
  endHoldingUp(): boolean;
}

/**
 * Makes promises of what the supervisor tells of a program.
 * @param left what it has told already, of a program that is taken up
 */
export function followProgram(
  id: number,
  { onOutput, checkpoint, onReport, onNetwork }: ProgramListener,
  ask: (message: ToSupervisor) => void,
  left?: LeftProgram,
): FollowedProgram {
  const started = deferred<{ pid: number } | NotStarted | Lost>();
  const exited = deferred<ProgramEnd | HeldUp | Lost>();
  let pid = left?.pid;
  let isHoldingUp = false;
  const closed = deferred<void>();
  const writes = new Map<number, (written: WrittenInput) => void>();
  /** Those that the pipe has taken, and after which nothing has come yet. */
  let unanswered: ((isAnswered: boolean) => void)[] = [];
  let lastWrite = left?.lastWrite ?? 0;
  let isOver = false;
  let keeping: Promise<void> = Promise.resolve();

  async function keep(pieces: readonly OutputPiece[]): Promise<void> {
    const keeping = onOutput(pieces);
    // Now, before what comes next is passed on.
    const reached = checkpoint?.();
    const isKeptOn = await keeping;
    if (isOver) return;
    ask({ ask: "more", id, checkpoint: reached });
    if (!isKeptOn) ask({ ask: "discard", id });
  }

  function earlierWrite({ taken, isAnswered }: EarlierWrite): WrittenInput {
    if (!taken) return NOT_TAKEN;
    if (isAnswered) return { isTaken: true, isAnswered: Promise.resolve(true) };
    return { isTaken: true, isAnswered: untilAnswered() };
  }

  function untilAnswered(): Promise<boolean> {
    const answer = deferred<boolean>();
    unanswered.push(answer.resolve);
    return answer.promise;
  }

  function settleAnswers(isAnswered: boolean): void {
    for (const settle of unanswered) settle(isAnswered);
    unanswered = [];
  }

  function close(): void {
    isOver = true;
    for (const settle of writes.values()) settle(NOT_TAKEN);
    settleAnswers(false);
    void keeping.catch(() => {}).then(() => closed.resolve());
  }

  const earlier = new Map((left?.writes ?? []).map((write) => [write.key, earlierWrite(write)]));
  if (left) started.resolve({ pid: left.pid });
  return {
    program: {
      started: started.promise,
      exited: exited.promise,
      closed: closed.promise,
      input: {
        write: (text, key) =>
          new Promise((resolve) => {
            if (isOver) return resolve(NOT_TAKEN);
            lastWrite += 1;
            writes.set(lastWrite, resolve);
            ask({ ask: "write", id, write: lastWrite, text, key });
          }),
        end: () => {
          if (!isOver) ask({ ask: "end_input", id });
        },
        earlier,
      },
      say(at, bytes) {
        if (!isOver) ask({ ask: "say", id, at, bytes });
        return !isOver;
      },
      refuseModels: () => ask({ ask: "refuse_models", id }),
      forget: () => ask({ ask: "forget", id }),
    },
    hear(message) {
      switch (message.event) {
        case "started":
          pid = message.pid;
          return started.resolve({ pid });
        case "not_started":
          started.resolve({ kind: "not_started", message: message.message });
          return close();
        case "written": {
          // At once: what is heard next may be the answer.
          const written = message.taken ? { isTaken: true, isAnswered: untilAnswered() } : NOT_TAKEN;
          writes.get(message.write)?.(written);
          return void writes.delete(message.write);
        }
        case "output":
          if (message.pieces.some(({ stream }) => stream !== "event")) settleAnswers(true);
          keeping = Promise.allSettled([keeping, keep(message.pieces)]).then(() => {});
          return;
        case "report":
          settleAnswers(true);
          return onReport?.(message.report);
        case "network":
          return onNetwork?.(message.network);
        case "exited":
          pid = undefined;
          return exited.resolve(isHoldingUp ? { kind: "held_up" } : message.end);
        case "closed":
          return close();
        case "alive":
          return;
      }
    },
    lose() {
      started.resolve(LOST);
      exited.resolve(LOST);
      close();
    },
    endHoldingUp() {
      // Its number is nobody else's while its supervisor, whose child it is, has not told of its end.
      isHoldingUp = pid !== undefined && signalGroup(pid, "SIGKILL");
      return isHoldingUp;
    },
  };
}

import { deferred } from "../../concurrency/deferred.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import type { FromSupervisor, OutputPiece, ProgramEnd, ToSupervisor } from "./supervisor-messages.ts";

/** What a program tells while it runs. */
export interface ProgramListener {
  /**
   * The program is read on as far as the pieces are kept.
   * @returns once they are, whether more would be; if not, what comes is not worth looking for secrets in
   */
  onOutput(pieces: readonly OutputPiece[]): Promise<boolean>;
  onReport?(report: OutputReport): void;
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
  write(text: string): Promise<WrittenInput>;
  end(): void;
}

/** A program that the host was asked to start. */
export interface AgentProgram {
  /** Its process, or why there is none. */
  started: Promise<{ pid: number } | NotStarted | Lost>;
  /** It has ended, and its process group with it; says nothing of one that could not be started. */
  exited: Promise<ProgramEnd | Lost>;
  /** Nothing more comes from it, and all that came is kept. */
  closed: Promise<void>;
  input: ProgramInput;
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

/** A program on the server's side of the host. */
export interface FollowedProgram {
  program: AgentProgram;
  hear(message: FromSupervisor): void;
  lose(): void;
}

/** Makes promises of what the host tells of a program. */
export function followProgram(
  id: number,
  { onOutput, onReport }: ProgramListener,
  ask: (message: ToSupervisor) => void,
): FollowedProgram {
  const started = deferred<{ pid: number } | NotStarted | Lost>();
  const exited = deferred<ProgramEnd | Lost>();
  const closed = deferred<void>();
  const writes = new Map<number, (written: WrittenInput) => void>();
  /** Those that the pipe has taken, and after which nothing has come yet. */
  let unanswered: ((isAnswered: boolean) => void)[] = [];
  let lastWrite = 0;
  let isOver = false;
  let keeping: Promise<void> = Promise.resolve();

  async function keep(pieces: readonly OutputPiece[]): Promise<void> {
    const isKeptOn = await onOutput(pieces);
    if (isOver) return;
    if (isKeptOn) ask({ ask: "more", id, bytes: pieces.reduce((sum, { bytes }) => sum + bytes.length, 0) });
    else ask({ ask: "discard", id });
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

  return {
    program: {
      started: started.promise,
      exited: exited.promise,
      closed: closed.promise,
      input: {
        write: (text) =>
          new Promise((resolve) => {
            if (isOver) return resolve(NOT_TAKEN);
            lastWrite += 1;
            writes.set(lastWrite, resolve);
            ask({ ask: "write", id, write: lastWrite, text });
          }),
        end: () => {
          if (!isOver) ask({ ask: "end_input", id });
        },
      },
    },
    hear(message) {
      switch (message.event) {
        case "started":
          return started.resolve({ pid: message.pid });
        case "not_started":
          started.resolve({ kind: "not_started", message: message.message });
          return close();
        case "written": {
          // At once: what is heard next may be the answer.
          const answer = deferred<boolean>();
          if (message.taken) unanswered.push(answer.resolve);
          writes.get(message.write)?.(
            message.taken ? { isTaken: true, isAnswered: answer.promise } : NOT_TAKEN,
          );
          return void writes.delete(message.write);
        }
        case "output":
          settleAnswers(true);
          keeping = Promise.allSettled([keeping, keep(message.pieces)]).then(() => {});
          return;
        case "report":
          settleAnswers(true);
          return onReport?.(message.report);
        case "exited":
          return exited.resolve(message.end);
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
  };
}

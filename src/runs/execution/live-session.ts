import { serial } from "../../concurrency/serial.ts";
import type { RunStore } from "../run.ts";
import type { ProgramInput } from "../supervisor/agent-program.ts";

export interface LiveSessionOptions {
  store: Pick<RunStore, "listUngiven" | "give">;
  runId: string;
  /** The standard input of the agent's program. */
  input: ProgramInput;
  /** A message as the program reads it. */
  encode(message: string): string;
  /** How long it may wait for a message when it has nothing to do, in milliseconds. */
  idleMs: number | undefined;
  onGiven(): void;
  onError(error: unknown): void;
  now: () => Date;
}

export interface LiveSession {
  /** Says that a message may have come. */
  look(): void;
  /** Says that the agent has nothing left to do: its input ends when no message comes in time. */
  rest(): void;
  /** Lets go of the input; what has not been given waits for the next turn. */
  close(): Promise<void>;
}

/**
 * Gives an agent the messages that come while it works, in their order and one at a time. A message is recorded as given
 * once the pipe has taken it: after a crash in between it is given again, with the next turn, rather than lost.
 */
export function openLiveSession(options: LiveSessionOptions): LiveSession {
  const { store, runId, input, encode, idleMs, onGiven, onError, now } = options;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const giving = serial();

  async function give(): Promise<void> {
    for (const { id, message } of await store.listUngiven(runId)) {
      clearTimeout(idle);
      if (isClosed || !(await input.write(encode(message)))) return;
      await store.give([id], now().toISOString());
      onGiven();
    }
  }

  function look(): void {
    void giving.run(give).catch(onError);
  }

  // What came between the record of the start and now.
  look();
  return {
    look,
    rest() {
      clearTimeout(idle);
      if (idleMs !== undefined && !isClosed) idle = setTimeout(() => input.end(), idleMs);
    },
    close() {
      isClosed = true;
      clearTimeout(idle);
      return giving.ended();
    },
  };
}

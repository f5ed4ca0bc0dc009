import { serial } from "../../concurrency/serial.ts";
import type { LiveQuestions } from "../agents/live-questions.ts";
import { type FollowUp, givenText } from "../rules/follow-up.ts";
import type { RunStore, Ticket } from "../run.ts";
import type { ProgramInput, WrittenInput } from "../supervisor/agent-program.ts";

export interface LiveSessionOptions {
  store: Pick<RunStore, "listUngiven" | "offer" | "give" | "confirm" | "keepRest">;
  claim: Ticket;
  turn: number;
  /** Where the agent asks and is held for the answer. */
  questions: Pick<LiveQuestions, "open" | "reply">;
  /** The standard input of the agent's program. */
  input: ProgramInput;
  /** A message as the program reads it. */
  encode(message: string): string;
  /** How long it may wait for a message when it has nothing to do, in milliseconds. */
  idleMs: number | undefined;
  /** Whether the run waits for other runs, which its session need not be open for. */
  isWaiting(): Promise<boolean>;
  onGiven(): void;
  onError(error: unknown): void;
  now: () => Date;
}

export interface LiveSession {
  /** Says that a message may have come. */
  look(): void;
  /** Says that the agent has nothing left to do: its input ends when no message comes in time, or at once while its run waits. */
  rest(): void;
  /** Lets go of the input; what has not been given waits for the next turn. */
  close(): Promise<void>;
}

/**
 * Gives an agent the messages that come while it works, in their order and one at a time. A pipe takes what nobody reads, so
 * a message counts as read when the agent has written something after it. Until then, whatever ends the session, the
 * message begins the next turn, marked as one that the agent may have read. The answer to a question whose call is held open
 * goes there, and counts as read in the same way.
 */
export function openLiveSession(options: LiveSessionOptions): LiveSession {
  const { store, claim, turn, questions, input, encode, idleMs, isWaiting, onGiven, onError, now } = options;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const giving = serial();
  const confirmations: Promise<void>[] = [];
  /** Answers of which nobody knows whether they have gone out: they begin the next turn. */
  const lost = new Set<string>();
  const closeQuestions = questions.open({ id: claim.id, turn }, idleMs);

  async function give(): Promise<void> {
    for (const followUp of await store.listUngiven(claim.id)) {
      const { id } = followUp;
      if (lost.has(id)) continue;
      clearTimeout(idle);
      if (isClosed) return;
      await store.offer(id);
      const { isTaken, isAnswered } = await hand(followUp);
      if (!isTaken) return;
      await store.give([id], now().toISOString());
      onGiven();
      confirmations.push(confirm(id, isAnswered).catch(onError));
    }
  }

  async function keepRest(): Promise<void> {
    await store.keepRest(claim, now().toISOString());
    if (!isClosed && (await isWaiting())) input.end();
  }

  async function hand(followUp: FollowUp): Promise<WrittenInput> {
    const { id, message, isAnswer } = followUp;
    const reply = isAnswer ? questions.reply({ id: claim.id, turn }, message) : undefined;
    if (reply === undefined) return input.write(encode(givenText(followUp)));
    const isSent = await reply;
    if (!isSent) lost.add(id);
    // What the program writes after this it writes after the answer has gone out to it.
    return isSent ? input.write("") : { isTaken: false, isAnswered: Promise.resolve(false) };
  }

  async function confirm(id: string, isAnswered: Promise<boolean>): Promise<void> {
    if (await isAnswered) await store.confirm(id);
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
      if (isClosed) return;
      if (idleMs !== undefined) idle = setTimeout(() => input.end(), idleMs);
      void giving.run(keepRest).catch(onError);
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      closeQuestions();
      await giving.ended();
      await Promise.all(confirmations);
    },
  };
}

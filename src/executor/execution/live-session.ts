import { serial } from "../../concurrency/shared-work.ts";
import { type FollowUp, givenText } from "../../runs/rules/follow-up.ts";
import type { SessionDoor } from "../../runs/turn/turn-door.ts";
import type { ProgramInput, WrittenInput } from "../supervisor/agent-program.ts";

export interface LiveSessionOptions {
  door: SessionDoor;
  /** The standard input of the agent's program. */
  input: ProgramInput;
  /** A message as the program reads it. */
  encode(message: string): string;
  /** How long it may wait for a message when it has nothing to do, in milliseconds. */
  idleMs: number | undefined;
  onGiven(): void;
  onError(error: unknown): void;
}

export interface LiveSession {
  /** Says that a message may have come. */
  look(): void;
  /** Says that the agent has nothing left to do: its input ends when no message comes in time, or at once while its run waits. */
  rest(): void;
  /** Says that the agent works, perhaps on a message that it was given after the report that it had nothing left to do. */
  stir(): void;
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
  const { door, input, encode, idleMs, onGiven, onError } = options;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const giving = serial();
  const confirmations: Promise<void>[] = [];
  /** Messages that need not be handed over: an earlier executor has, or nobody knows whether their answer has gone out. */
  const handled = new Set<string>(input.earlier.keys());
  /** Messages that the program has taken, of which the store may not know: it may have been away. */
  const taken = new Map<string, WrittenInput>();
  // Before a message is looked for: it may be the answer to what the agent asks first.
  const opening = door.open(idleMs).catch(onError);

  async function give(): Promise<void> {
    for (const followUp of await door.listUngiven()) {
      const { id } = followUp;
      if (handled.has(id)) continue;
      clearTimeout(idle);
      if (isClosed) return;
      if (!taken.has(id)) await door.offer(id);
      const { isTaken, isAnswered } = taken.get(id) ?? (await hand(followUp));
      if (!isTaken) return;
      taken.set(id, { isTaken, isAnswered });
      await door.give([id]);
      onGiven();
      confirmations.push(confirm(id, isAnswered).catch(onError));
    }
  }

  async function keepRest(): Promise<void> {
    await door.keepRest();
    if (!isClosed && (await door.findIsWaiting())) input.end();
  }

  async function hand(followUp: FollowUp): Promise<WrittenInput> {
    const { id, message, isAnswer } = followUp;
    const isSent = isAnswer ? await door.reply(id, message) : undefined;
    if (isSent === undefined) return input.write(encode(givenText(followUp)), id);
    if (!isSent) handled.add(id);
    // What the program writes after this it writes after the answer has gone out to it.
    return isSent ? input.write("") : { isTaken: false, isAnswered: Promise.resolve(false) };
  }

  async function confirm(id: string, isAnswered: Promise<boolean>): Promise<void> {
    if (await isAnswered) await door.confirm(id);
  }

  /** An executor that ended in between may not have told what it has given. */
  async function tellEarlier(): Promise<void> {
    for (const [id, { isTaken, isAnswered }] of input.earlier) {
      if (!isTaken) continue;
      await door.give([id]);
      confirmations.push(confirm(id, isAnswered).catch(onError));
    }
  }

  function look(): void {
    void giving.run(give).catch(onError);
  }

  if (input.earlier.size > 0) void giving.run(tellEarlier).catch(onError);
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
    stir: () => clearTimeout(idle),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await opening;
      await door.close().catch(onError);
      await giving.ended();
      await Promise.all(confirmations);
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../concurrency/promises.ts";
import type { RunTurn } from "../rules/agent-report.ts";
import type { RunStore } from "../run-store.ts";

/** What a person has answered to a question, for the call that has asked it. */
export interface LiveAnswer {
  text: string;
  /** Says whether the answer has gone out to the agent. It is asked for once. */
  settle(isSent: boolean): void;
}

/** A question whose call is held open for the answer. */
export interface LiveQuestion {
  /** The answer; nothing when the session ends first, or when another question takes its place. */
  answer: Promise<LiveAnswer | undefined>;
  /**
   * Takes the question back: the answer goes to the session's input, or begins the next turn. One that has come already and
   * that nobody has sent on is lost to this turn.
   */
  withdraw(): void;
}

/** The questions that agents ask in sessions that live, by their turns: they get the answers where they have asked. */
export interface LiveQuestions {
  /** Says that the session of a turn takes messages from now on. @returns what ends that */
  open(turn: RunTurn, idleMs: number | undefined): () => void;
  /** For how long a call of the turn's agent may be held open; nothing where no session of the turn lives. */
  holdMs(turn: RunTurn): number | undefined;
  /** Asks in the session of a turn; nothing where none lives. */
  ask(turn: RunTurn): LiveQuestion | undefined;
  /** Gives the open question of a turn its answer. @returns whether it has gone out; nothing where no question is open */
  reply(turn: RunTurn, text: string): Promise<boolean> | undefined;
}

/** Longer than this, nobody holds a connection open. */
const MAX_HOLD_MS = 60 * 60_000;

interface Session {
  turn: number;
  holdMs: number;
  /** Resolves the open question. */
  resolve?: ((answer: LiveAnswer | undefined) => void) | undefined;
}

/** Sessions and their questions live in this process, as their agents' programs do. */
export function createLiveQuestions(): LiveQuestions {
  const sessions = new Map<string, Session>();
  const find = ({ id, turn }: RunTurn) => {
    const session = sessions.get(id);
    return session?.turn === turn ? session : undefined;
  };
  return {
    open({ id, turn }, idleMs = MAX_HOLD_MS) {
      const session: Session = { turn, holdMs: Math.min(idleMs, MAX_HOLD_MS) };
      sessions.set(id, session);
      return () => {
        session.resolve?.(undefined);
        if (sessions.get(id) === session) sessions.delete(id);
      };
    },
    holdMs: (turn) => find(turn)?.holdMs,
    ask(turn) {
      const session = find(turn);
      if (!session) return undefined;
      const { promise, resolve } = deferred<LiveAnswer | undefined>();
      session.resolve?.(undefined);
      session.resolve = resolve;
      return {
        answer: promise,
        withdraw() {
          if (session.resolve === resolve) session.resolve = undefined;
          resolve(undefined);
          void promise.then((answer) => answer?.settle(false));
        },
      };
    },
    reply(turn, text) {
      const session = find(turn);
      if (!session?.resolve) return undefined;
      const { promise, resolve: settle } = deferred<boolean>();
      session.resolve({ text, settle });
      session.resolve = undefined;
      return promise;
    },
  };
}

/** So often it is looked whether an answer has come. */
const LOOK_EVERY_MS = 1_000;
/** An answer that is not here so long after it was stored went to the session at another server. */
const ELSEWHERE_AFTER_MS = 3_000;

/**
 * Questions where an agent may ask at one server and have its session at another: the call is held open where it was made. When
 * the answer goes to the session's input elsewhere, the question is taken back, so that the agent reads it there.
 */
export function sharedQuestions(questions: LiveQuestions, store: Pick<RunStore, "listNews">): LiveQuestions {
  const lastMessage = async (runId: string) => (await store.listNews([runId]))[0]?.lastMessage;

  async function withdrawWhenAnsweredElsewhere(runId: string, question: LiveQuestion): Promise<void> {
    let isOpen = true;
    void question.answer.finally(() => {
      isOpen = false;
    });
    const before = await lastMessage(runId);
    let answeredAt: number | undefined;
    while (isOpen) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      if (!isOpen) return;
      // A store that does not answer just now may do so at the next look.
      const last = await lastMessage(runId).catch(() => before);
      if (last === before) continue;
      answeredAt ??= performance.now();
      if (performance.now() - answeredAt >= ELSEWHERE_AFTER_MS) return question.withdraw();
    }
  }

  return {
    ...questions,
    ask(turn) {
      const question = questions.ask(turn);
      if (question) void withdrawWhenAnsweredElsewhere(turn.id, question).catch(() => {});
      return question;
    },
  };
}

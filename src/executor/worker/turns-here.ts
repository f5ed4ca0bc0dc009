import { EventEmitter } from "node:events";
import { createCommitSignal } from "../../concurrency/rounds.ts";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Ticket } from "../../runs/ticket.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import type { BeatAnswer, KnownTurn } from "../../workers/protocol/messages.ts";
import type { LeftTurn } from "../execution/left-turn.ts";
import { EndAtOnce } from "../execution/run-program.ts";

/** What ends the turns of this process, and why. */
export interface TurnEnds extends RunSignals {
  /** Nothing more may be said of the turn: it is not this process's any more. */
  over: AbortSignal;
  /** Says that this is so. */
  lose(): void;
  /** Ends the agent: the server cannot carry out what is told of the turn. */
  fail(): void;
  /** Is called when the server has forgotten what it was told of the turn, and has not stored. */
  onForgotten(listener: () => void): void;
}

interface TurnHere extends KnownTurn {
  cancel: AbortController;
  over: AbortController;
  messages: EventEmitter;
  /** When the server said last that the turn is this process's, on the clock of `performance`. */
  heldAt: number;
  done: Promise<void>;
}

export interface TurnsHereOptions {
  execute(assignment: Assignment, ends: TurnEnds): Promise<void>;
  /** Goes on with a turn that an earlier process has left. */
  proceed(left: LeftTurn, ends: TurnEnds): Promise<void>;
  /** Hears for how long a turn is held from now on, in milliseconds. */
  onHeld(runId: string, forMs: number): void;
  /** Aborts when agents have to end because the worker does. */
  stop: AbortSignal;
  log: Log;
}

type Ticketed = Pick<Assignment, "run" | "ticket">;

/** The turns that this process executes. */
export interface TurnsHere {
  readonly size: number;
  /** @param heldAt when it was asked for */
  begin(assignment: Assignment, heldAt: number): void;
  /** Goes on with a turn that an earlier process has left, with its agent. */
  resume(left: LeftTurn): void;
  /** How those that are this process's stand, as far as it knows: naming a lost one would renew a lease that nobody uses. */
  known(): KnownTurn[];
  /** Takes in what the server says of those that it was asked about at an instant; the others are lost. */
  hear(asked: readonly Ticket[], answer: BeatAnswer, askedAt: number): void;
  /** Sets for how long a turn is held without a word of the server, in milliseconds. */
  fenceAfter(ms: number): void;
  /** Ends, without a word, the agents of turns that the server has not confirmed for so long: it may soon give them away. */
  fence(): void;
  /** Ends all of them without a word. */
  loseAll(): void;
  ended(): Promise<void>;
  /** Resolves when a turn has ended, or after so long. */
  untilRoom(ms: number, signal: AbortSignal): Promise<void>;
}

export function createTurnsHere({ execute, proceed, onHeld, stop, log }: TurnsHereOptions): TurnsHere {
  // Until the server has said how long a lease is, there are only turns of before: their supervisor knows.
  let fenceMs = Number.POSITIVE_INFINITY;
  const turns = new Map<string, TurnHere>();
  const ended = createCommitSignal();

  function lose(turn: TurnHere): void {
    if (turn.over.signal.aborted) return;
    log.warn({ run: turn.id }, "the turn is no longer this worker's; its agent is ended");
    turn.over.abort(new EndAtOnce("The turn is no longer this worker's."));
  }

  function begin(
    { run, ticket }: Ticketed,
    heldAt: number,
    carryOut: (ends: TurnEnds) => Promise<void>,
  ): void {
    // An answer that was lost may come twice.
    const before = turns.get(run.id);
    if (before?.ticket === ticket) return;
    if (before) lose(before);
    const messages = new EventEmitter();
    const cancel = new AbortController();
    const over = new AbortController();
    const failed = new AbortController();
    const turn: TurnHere = {
      id: run.id,
      ticket,
      isCancelled: false,
      news: "",
      cancel,
      over,
      messages,
      heldAt,
      done: Promise.resolve(),
    };
    const ends: TurnEnds = {
      heldForMs: () => heldForMs(turn),
      stop: AbortSignal.any([stop, over.signal, failed.signal]),
      cancel: cancel.signal,
      over: over.signal,
      onMessage: (listener) => void messages.on("message", listener),
      onForgotten: (listener) => void messages.on("forgotten", listener),
      lose: () => lose(turn),
      fail: () => failed.abort(),
    };
    turns.set(run.id, turn);
    turn.done = carryOut(ends)
      .catch((error) => log.error({ run: run.id, error: errorMessage(error) }, "a run could not be executed"))
      .finally(() => {
        if (turns.get(run.id) === turn) turns.delete(run.id);
        ended.committed();
      });
  }

  /** From now on, without another word of the server. */
  function heldForMs({ heldAt }: TurnHere): number {
    return Math.max(0, fenceMs - (performance.now() - heldAt));
  }

  return {
    get size() {
      return turns.size;
    },
    begin: (assignment, heldAt) => begin(assignment, heldAt, (ends) => execute(assignment, ends)),
    resume: (left) => begin(left.assignment, performance.now(), (ends) => proceed(left, ends)),
    known: () =>
      [...turns.values()]
        .filter(({ over }) => !over.signal.aborted)
        .map(({ id, ticket, isCancelled, news }) => ({ id, ticket, isCancelled, news })),
    hear(asked, answer, askedAt) {
      const told = new Map(answer.turns.map((turn) => [turn.id, turn]));
      for (const { id, ticket } of asked) {
        const turn = turns.get(id);
        // It may have ended, and another turn of its run may have begun, while the server was asked.
        if (turn?.ticket !== ticket) continue;
        const news = told.get(id);
        if (!news) {
          lose(turn);
          continue;
        }
        turn.heldAt = askedAt;
        onHeld(id, heldForMs(turn));
        if (news.isForgotten) turn.messages.emit("forgotten");
        if (news.isCancelled) turn.cancel.abort();
        turn.isCancelled = news.isCancelled;
        if (news.news !== turn.news) turn.messages.emit("message");
        turn.news = news.news;
      }
    },
    fenceAfter(ms) {
      fenceMs = ms;
    },
    fence() {
      for (const turn of turns.values()) if (heldForMs(turn) === 0) lose(turn);
    },
    loseAll() {
      for (const turn of turns.values()) lose(turn);
    },
    async untilRoom(ms, signal) {
      await ended.next(ms, signal);
    },
    async ended() {
      await Promise.all([...turns.values()].map(({ done }) => done));
    },
  };
}

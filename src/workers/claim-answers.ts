import type { ClaimAnswer } from "./protocol/messages.ts";

interface Asked {
  claim: string;
  answer: Promise<ClaimAnswer>;
  /** How many requests wait for the answer. */
  waiting: number;
  /** Aborts when nobody does any more. */
  gone: AbortController;
}

/** The last claim of each process. */
export interface ClaimAnswers {
  /**
   * Answers a claim; one that is sent again gets the answer of the first time, so that turns whose answer was lost need not wait
   * for the end of their leases.
   * @param holder the process
   * @param gone aborts when this request waits no more
   */
  answer(
    holder: string,
    claim: string,
    gone: AbortSignal,
    ask: (gone: AbortSignal) => Promise<ClaimAnswer>,
  ): Promise<ClaimAnswer>;
}

/** @param keepMs for how long a turn is a worker's without another word: after that the answer is worth nothing */
export function createClaimAnswers(keepMs: number): ClaimAnswers {
  const last = new Map<string, Asked>();

  function forget(holder: string, asked: Asked): void {
    if (last.get(holder) === asked) last.delete(holder);
  }

  function begin(holder: string, claim: string, ask: (gone: AbortSignal) => Promise<ClaimAnswer>): Asked {
    // A process asks once at a time: nobody reads the answer to what it has asked before.
    last.get(holder)?.gone.abort();
    const gone = new AbortController();
    const asked: Asked = { claim, gone, waiting: 0, answer: ask(gone.signal) };
    last.set(holder, asked);
    asked.answer.then(
      ({ turns }) => {
        if (turns.length === 0) forget(holder, asked);
        else setTimeout(() => forget(holder, asked), keepMs).unref();
      },
      () => forget(holder, asked),
    );
    return asked;
  }

  return {
    answer(holder, claim, gone, ask) {
      const before = last.get(holder);
      const asked = before?.claim === claim ? before : begin(holder, claim, ask);
      asked.waiting += 1;
      gone.addEventListener(
        "abort",
        () => {
          asked.waiting -= 1;
          if (asked.waiting === 0) asked.gone.abort();
        },
        { once: true },
      );
      return asked.answer;
    },
  };
}

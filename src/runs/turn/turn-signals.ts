/** Whether a turn is still its executor's. */
export interface Hold {
  /** Aborts when it is not. */
  lost: AbortSignal;
  /** Ends the watching. */
  end(): void;
}

/** Watches for how long a turn is held without another word of the store. */
export function watchHold(heldForMs: RunSignals["heldForMs"]): Hold {
  const lost = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    const restMs = heldForMs?.() ?? Number.POSITIVE_INFINITY;
    if (restMs <= 0) lost.abort();
    else if (Number.isFinite(restMs)) timer = setTimeout(look, restMs);
  }
  look();
  return { lost: lost.signal, end: () => clearTimeout(timer) };
}

/** What reaches an execution from outside. */
export interface RunSignals {
  /** The server stops. */
  stop: AbortSignal;
  /** Someone has cancelled the run, and the store knows it. */
  cancel: AbortSignal;
  /** Is called whenever someone has said something to the run. */
  onMessage(listener: () => void): void;
  /**
   * For how long the turn is held without another word of the server, in milliseconds. Left out where it is held for as long as
   * this process lives.
   */
  heldForMs?(): number;
  /** The turn is not held any more: it is not prepared any further. An agent that is at work ends by itself. */
  lost?: AbortSignal;
}

/**
 * Of a lease, after the last word of whoever gives it: an agent that nobody can take up by then ends, before its run could be given
 * to somebody else.
 */
export const FENCE_AT = 0.7;

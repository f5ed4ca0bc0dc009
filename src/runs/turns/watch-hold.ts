import type { RunSignals } from "../queue.ts";

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

import type { SupervisedProgram } from "./supervised-program.ts";
import type { Keeping, LeftProgram } from "./supervisor-messages.ts";

interface Kept {
  program: SupervisedProgram;
  keeping: Keeping;
  /** Until when its turn is held, on the clock of `performance`. */
  heldUntil: number;
  /** Resolves when nothing is left of it; from when its end was begun with. */
  fencing: Promise<void> | undefined;
}

/** The programs that go on when whoever has started them has ended. */
export interface KeptPrograms {
  has(id: number): boolean;
  add(id: number, program: SupervisedProgram, keeping: Keeping): void;
  /** Says for how long the turn of a program is held. */
  hold(id: number, forMs: number): void;
  forget(id: number): void;
  /** Says that nobody is connected any more. */
  leftAlone(): void;
  listLeft(): LeftProgram[];
  /**
   * Says that somebody is connected again, and knows what `listLeft` has listed: all that was not kept is told to them.
   * @returns the programs that are left to nobody
   */
  foundAgain(): number[];
}

const LOOK_MS = 200;

/**
 * Ends a program when its turn is not held any more: by then the server may give the run to somebody else. A process that was
 * stopped (SIGSTOP) or cut off does not have to notice that by itself.
 * @param onNothingLeft is called when nobody is connected and no program is left that somebody could take up
 */
export function createKeptPrograms(onNothingLeft: () => void): KeptPrograms {
  const all = new Map<number, Kept>();
  let isAlone = false;

  function look(): void {
    const now = performance.now();
    for (const kept of all.values()) if (kept.heldUntil < now) kept.fencing ??= kept.program.fence();
    const fences = [...all.values()].map(({ fencing }) => fencing);
    if (!isAlone || fences.some((fencing) => !fencing)) return;
    // Not before the last of them is over: what is left would go on after this process.
    void Promise.allSettled(fences).then(() => {
      if (isAlone) onNothingLeft();
    });
  }

  setInterval(look, LOOK_MS).unref();
  return {
    has: (id) => all.has(id),
    add(id, program, keeping) {
      const heldUntil = performance.now() + (keeping.holdMs ?? Number.POSITIVE_INFINITY);
      all.set(id, { program, keeping, heldUntil, fencing: undefined });
    },
    hold(id, forMs) {
      const kept = all.get(id);
      if (kept && !kept.fencing) kept.heldUntil = performance.now() + forMs;
    },
    forget: (id) => void all.delete(id),
    leftAlone() {
      isAlone = true;
      for (const kept of all.values())
        kept.heldUntil = Math.min(kept.heldUntil, performance.now() + kept.keeping.aloneMs);
      look();
    },
    listLeft: () =>
      [...all]
        .filter(([, { fencing }]) => !fencing)
        .map(
          ([
            id,
            {
              program,
              keeping: { runId, state },
            },
          ]) => ({ ...program.left(), id, runId, state }),
        ),
    foundAgain() {
      isAlone = false;
      const fenced = [...all].filter(([, { fencing }]) => fencing).map(([id]) => id);
      for (const id of fenced) all.delete(id);
      for (const kept of all.values()) {
        if (kept.keeping.holdMs === undefined) kept.heldUntil = Number.POSITIVE_INFINITY;
        kept.program.tellAgain();
      }
      return fenced;
    },
  };
}

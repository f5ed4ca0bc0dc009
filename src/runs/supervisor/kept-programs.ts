import type { SupervisedProgram } from "./supervised-program.ts";
import type { Keeping, LeftProgram } from "./supervisor-messages.ts";

interface Kept {
  program: SupervisedProgram;
  keeping: Keeping;
  /** Until when its turn is held, on the clock of `performance`. */
  heldUntil: number;
  isFenced: boolean;
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
  /** Says that somebody is connected again, and knows what `listLeft` has listed: all that was not kept is told to them. */
  foundAgain(): void;
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

  async function fence(kept: Kept): Promise<void> {
    kept.isFenced = true;
    await kept.program.fence();
  }

  function look(): void {
    const now = performance.now();
    const fencing = [...all.values()]
      .filter(({ heldUntil, isFenced }) => !isFenced && heldUntil < now)
      .map(fence);
    if (!isAlone || [...all.values()].some(({ isFenced }) => !isFenced)) return;
    void Promise.allSettled(fencing).then(() => {
      if (isAlone) onNothingLeft();
    });
  }

  setInterval(look, LOOK_MS).unref();
  return {
    has: (id) => all.has(id),
    add(id, program, keeping) {
      const heldUntil = performance.now() + (keeping.holdMs ?? Number.POSITIVE_INFINITY);
      all.set(id, { program, keeping, heldUntil, isFenced: false });
    },
    hold(id, forMs) {
      const kept = all.get(id);
      if (kept && !kept.isFenced) kept.heldUntil = performance.now() + forMs;
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
        .filter(([, { isFenced }]) => !isFenced)
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
      for (const [id, kept] of all) {
        if (kept.isFenced) all.delete(id);
        else {
          if (kept.keeping.holdMs === undefined) kept.heldUntil = Number.POSITIVE_INFINITY;
          kept.program.tellAgain();
        }
      }
    },
  };
}

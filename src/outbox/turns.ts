/** Lets so many pieces of work go on at a time. */
export interface Turns {
  /** @param of whose work it is: nobody waits only because others keep every turn */
  take<Outcome>(of: string, work: () => Promise<Outcome>): Promise<Outcome>;
}

interface Waiting {
  of: string;
  begin(): void;
}

/**
 * Those who have the fewest pieces going on come next, and of these the one who has waited longest. One who has none at
 * all does not wait: with as many others as there are turns, slow ones would hold up everybody.
 */
export function createTurns(most: number): Turns {
  const waiting: Waiting[] = [];
  const going = new Map<string, number>();
  let taken = 0;

  const goingOf = (of: string) => going.get(of) ?? 0;

  function begin(of: string): void {
    taken += 1;
    going.set(of, goingOf(of) + 1);
  }

  function end(of: string): void {
    taken -= 1;
    const left = goingOf(of) - 1;
    if (left > 0) going.set(of, left);
    else going.delete(of);
  }

  function letNextBegin(): void {
    let next = 0;
    for (const [index, { of }] of waiting.entries())
      if (goingOf(of) < goingOf(waiting[next]?.of ?? "")) next = index;
    const chosen = waiting[next];
    if (!chosen || (taken >= most && goingOf(chosen.of) > 0)) return;
    waiting.splice(next, 1);
    begin(chosen.of);
    chosen.begin();
  }

  return {
    async take(of, work) {
      if (taken < most || goingOf(of) === 0) begin(of);
      else await new Promise<void>((resolve) => waiting.push({ of, begin: resolve }));
      try {
        return await work();
      } finally {
        end(of);
        letNextBegin();
      }
    },
  };
}

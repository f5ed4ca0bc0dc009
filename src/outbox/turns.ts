/** Lets so many pieces of work go on at a time; the others wait in their order. */
export interface Turns {
  take<Outcome>(work: () => Promise<Outcome>): Promise<Outcome>;
}

export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(work) {
      if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else taken -= 1;
      }
    },
  };
}

/** Chances that the same seed repeats, so that a proof which found something can be run again. */
export interface Chance {
  /** From 0 up to, and not including, 1. */
  next(): number;
  below(count: number): number;
  /** Whether something happens that does so in this share of all cases. */
  of(share: number): boolean;
  oneOf<T>(all: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** The generator is mulberry32: small, and even enough for choosing faults. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    of: (share) => next() < share,
    oneOf<T>(all: readonly T[]): T {
      return all[below(all.length)] as T;
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}

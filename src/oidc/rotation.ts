import { DAY_MS, MINUTE_MS } from "../time/duration.ts";
import type { SigningKey } from "./signing-key.ts";

/** How long a token is good. An agent that needs one for longer asks for another. */
export const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
/** How long verifiers may go by what they have read of the keys. */
export const KEYS_CACHED_MS = 5 * MINUTE_MS;
/** Verifiers' clocks may be this far behind: to them, a token lives longer. */
const CLOCK_LEEWAY_MS = 5 * MINUTE_MS;
/** How long a key signs. */
export const SIGNS_FOR_MS = 90 * DAY_MS;
/** How long before it signs a key is published, for verifiers that read the keys seldom. */
export const PUBLISHED_AHEAD_MS = DAY_MS;

type Timed = Pick<SigningKey, "id" | "generation" | "signsFrom">;

/** The key that signs at an instant; nothing before the first. */
export function signingAt<Key extends Timed>(keys: readonly Key[], at: Date): Key | undefined {
  return inOrder(keys).findLast((key) => startOf(key) <= at.getTime());
}

/** When the next key has to sign, if it is time to publish it. */
export function nextSignsFrom(keys: readonly Timed[], at: Date): Date | undefined {
  const newest = inOrder(keys).at(-1);
  if (!newest) return undefined;
  const due = startOf(newest) + SIGNS_FOR_MS;
  if (due - PUBLISHED_AHEAD_MS > at.getTime()) return undefined;
  // A server that was stopped when it was time publishes it a day ahead all the same.
  return new Date(Math.max(due, at.getTime() + PUBLISHED_AHEAD_MS));
}

/** Keys whose last tokens have expired. */
export function retiredAt(keys: readonly Timed[], at: Date): string[] {
  const ordered = inOrder(keys);
  const longAgo = at.getTime() - TOKEN_LIFETIME_MS - CLOCK_LEEWAY_MS;
  return ordered
    .filter((_, index) => {
      const next = ordered[index + 1];
      return next !== undefined && startOf(next) <= longAgo;
    })
    .map(({ id }) => id);
}

const startOf = ({ signsFrom }: Timed) => Date.parse(signsFrom);

/** In the order in which they sign. */
const inOrder = <Key extends Timed>(keys: readonly Key[]): Key[] =>
  [...keys].sort((one, other) => startOf(one) - startOf(other) || one.generation - other.generation);

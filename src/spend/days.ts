import { DAY_MS } from "../time/duration.ts";
import type { Span } from "./usage-sums.ts";

/**
 * The days of a span in which there can be anything, in UTC: a sum over many rows must not keep the readers of the store waiting.
 * @param first when there was something first; nothing where there is nothing
 * @param now nothing is later, but by what clocks differ
 */
export function* daysOf({ from, to }: Span, first: string | undefined, now: Date): Generator<Span> {
  if (first === undefined) return;
  const end = Math.min(Date.parse(to), now.getTime() + DAY_MS);
  for (let at = Math.max(Date.parse(from), startOfDay(Date.parse(first))); at < end; ) {
    const next = Math.min(startOfDay(at) + DAY_MS, end);
    yield { from: new Date(at).toISOString(), to: new Date(next).toISOString() };
    at = next;
  }
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;

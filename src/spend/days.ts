import { DAY_MS } from "../time/duration.ts";
import type { Span } from "./usage-sums.ts";

/**
 * The days of a span, in UTC, from the first one on in which there is anything: a sum over many rows must not keep the readers of
 * the store waiting.
 * @param first when there was something first; nothing where there is nothing
 */
export function daysOf({ from, to }: Span, first: string | undefined): Span[] {
  if (first === undefined) return [];
  const end = Date.parse(to);
  const days: Span[] = [];
  for (let at = Math.max(Date.parse(from), startOfDay(Date.parse(first))); at < end; ) {
    const next = Math.min(startOfDay(at) + DAY_MS, end);
    days.push({ from: new Date(at).toISOString(), to: new Date(next).toISOString() });
    at = next;
  }
  return days;
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time/duration.ts";

/** The spans of a chart: of a minute, an hour or a day, the newest of which goes on. */
export interface Spans {
  /** The length of each, in milliseconds. */
  length: number;
  /** Their beginnings, oldest first. */
  starts: number[];
}

export const RANGES = ["1h", "24h", "7d", "30d"] as const;
export type Range = (typeof RANGES)[number];

/** @param offset the hours from UTC at which days begin */
export function spansOf(range: Range, now: Date, offset: number): Spans {
  if (range === "1h") return spansUntil(now, MINUTE_MS, 60);
  if (range === "24h") return spansUntil(now, HOUR_MS, 24);
  if (range === "7d") return spansUntil(now, HOUR_MS, 168);
  return spansUntil(now, DAY_MS, 30, offset * HOUR_MS);
}

/** So many spans, with the one of this instant. */
export function spansUntil(now: Date, length: number, count: number, shift = 0): Spans {
  const last = Math.floor((now.getTime() + shift) / length) * length - shift;
  return { length, starts: Array.from({ length: count }, (_, back) => last - (count - 1 - back) * length) };
}

import type { Models } from "../../api/models.ts";

export type Range = "1h" | "24h" | "7d" | "30d";
export type Bucket = Models["ActivityBucket"];

export const RANGES: readonly { value: Range; label: string; words: string }[] = [
  { value: "1h", label: "1 h", words: "last hour" },
  { value: "24h", label: "24 h", words: "last 24 hours" },
  { value: "7d", label: "7 d", words: "last 7 days" },
  { value: "30d", label: "30 d", words: "last 30 days" },
];

/** The range that an address names, or a day. */
export function rangeOf(text: string | null): Range {
  return RANGES.find(({ value }) => value === text)?.value ?? "24h";
}

/** The labels below a chart: each stands at the beginning of an equal share of its buckets. */
export const SHARES: Readonly<Record<Range, number>> = { "1h": 4, "24h": 6, "7d": 7, "30d": 6 };

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DATE_AND_HOUR = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** What stands below a chart for a bucket that begins at an instant. */
export function axisLabel(range: Range, at: string): string {
  const instant = new Date(at);
  if (range === "7d") return WEEKDAY.format(instant);
  return (range === "30d" ? DATE : CLOCK).format(instant);
}

/** A bucket in words. */
export function bucketName(range: Range, at: string): string {
  const instant = new Date(at);
  if (range === "30d") return DATE.format(instant);
  return (range === "7d" ? DATE_AND_HOUR : CLOCK).format(instant);
}

/** The height of a chart whose highest bar is so high: a number that reads well, and so does its half. */
export function roundHeight(highest: number): number {
  if (highest <= 2) return 2;
  const magnitude = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * magnitude >= highest) ?? 10;
  return step * magnitude;
}

/** The hours by which the reader's time is ahead of UTC. */
export function utcOffset(now = new Date()): number {
  return Math.round(-now.getTimezoneOffset() / 60);
}

interface Span {
  since: string;
  until: string;
}

/** The address of the deliveries of a span. */
export function deliveriesAt({ since, until }: Span, more: Record<string, string> = {}): string {
  return `/deliveries?${new URLSearchParams({ ...more, since, until })}`;
}

/** The address of the runs that were created in a span. */
export function runsAt({ since, until }: Span, more: Record<string, string> = {}): string {
  return `/runs?${new URLSearchParams({ ...more, created_after: since, created_before: until })}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "long",
});

/** An instant in the zone and the manner of the reader. */
export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

/** How long ago, or until, in words. */
export function timeSince(at: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 10
    ? relative.format(seconds, "second")
    : seconds < -10
      ? `${-seconds} sec. ago`
      : "just now";
}

/** A length of time in the two largest units that it has. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

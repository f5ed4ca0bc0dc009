/** The periods that usage is shown of. */
export const SPANS = [
  { value: "24h", label: "24 h" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
  { value: "90d", label: "90 d" },
] as const;

/** The period that an address names, or a month. */
export function spanOf(text: string | null): string {
  return SPANS.find(({ value }) => value === text)?.value ?? "30d";
}

const DAY_MS = 86_400_000;

/** The days of a period, in UTC, oldest first: those in which nothing was used too. */
export function daysOf({ since, until }: { since: string; until: string }): string[] {
  const first = Math.floor(Date.parse(since) / DAY_MS);
  // What ends at midnight has nothing of the day that begins.
  const last = Math.floor((Date.parse(until) - 1) / DAY_MS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
  );
}

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** A day in words. */
export function dayText(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}

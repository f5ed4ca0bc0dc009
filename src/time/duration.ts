export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNIT_MS = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: 1_000, ms: 1 } as const;
export type DurationUnit = keyof typeof UNIT_MS;

/** Reads `500ms`, `90s` or `3d` as milliseconds; nothing for a text of another form, or with a unit that is not asked for. */
export function parseDuration(text: string, units: readonly DurationUnit[]): number | undefined {
  const [, count, suffix] = /^(\d+)([a-z]+)$/.exec(text) ?? [];
  const unit = units.find((each) => each === suffix);
  return unit && Number(count) * UNIT_MS[unit];
}

/** Milliseconds as one would write them: in the largest unit that leaves nothing over, up to hours. */
export function formatDuration(ms: number): string {
  const unit = (["h", "m", "s"] as const).find((each) => ms > 0 && ms % UNIT_MS[each] === 0) ?? "ms";
  return `${ms / UNIT_MS[unit]}${unit}`;
}

/** How long something took, for people: `62 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (ms < 1_000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${(ms / 1_000).toFixed(1)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** As ISO 8601 has it: `PT2M30S`; a fraction of a second is kept to the millisecond. */
export function isoDuration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / 1_000;
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds}S`;
}

/** Reads what {@link isoDuration} has written. @returns milliseconds */
export function isoMilliseconds(duration: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Math.round(Number(seconds) * 1_000);
}

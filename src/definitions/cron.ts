import { Cron } from "croner";
import { parseDuration } from "../time/duration.ts";

/** When a schedule is due. */
export interface CronSchedule {
  /** The first due time after an instant, or nothing when there is none. */
  next(after: Date): Date | undefined;
  /** The last due time at an instant or before it, or nothing when there is none. */
  last(until: Date): Date | undefined;
}

const MACROS: ReadonlySet<string> = new Set([
  "@annually",
  "@yearly",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);
const MIN_EVERY_MS = 1_000;
/** Instants are written with a year of four digits (RFC 3339), so nothing is due after that. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * Reads a cron expression of the definition format: five fields, one of the usual macros, or `@every 1h30m`. Time zones and a
 * sixth field are not part of the format.
 *
 * When clocks are put forward, a fixed time in the hour that is missing is due at its end, and a step such as *\/15 in it is not
 * due. When they are put back, a fixed time in the hour that comes twice is due the first time only, and a step both times.
 * @param timezone in which its fields are meant; intervals are the same in each
 * @throws Error that says what is wrong with it
 */
export function parseCron(expression: string, timezone = "UTC"): CronSchedule {
  if (expression.startsWith("@every ")) return every(expression.slice("@every ".length).trim());
  if (expression.startsWith("@") && !MACROS.has(expression)) {
    throw new Error(`expected one of ${[...MACROS].join(", ")} or @every <duration>`);
  }
  const fields = expression.trim().split(/\s+/);
  if (/^(CRON_)?TZ=/.test(expression))
    throw new Error("a time zone is not allowed in it: set timezone instead");
  if (!expression.startsWith("@") && fields.length !== 5) {
    throw new Error(`expected five fields (minute hour day month weekday), found ${fields.length}`);
  }
  const pattern = expression === "@midnight" ? "@daily" : expression;
  const cron = new Cron(pattern, {
    paused: true,
    timezone,
    mode: expression.startsWith("@") ? "auto" : "5-part",
  });
  return {
    next: (after) => cron.nextRun(after) ?? undefined,
    // Croner looks for what is due before an instant, in whole seconds; the second of the instant itself counts too.
    last: (until) => cron.previousRuns(1, new Date((Math.floor(until.getTime() / 1_000) + 1) * 1_000))[0],
  };
}

/** Multiples of the interval since the epoch, so that a restart does not shift them. */
function every(duration: string): CronSchedule {
  const parts = duration.match(/\d+[hms]/g) ?? [];
  const complete = parts.join("") === duration;
  const interval = parts.reduce((sum, part) => sum + (parseDuration(part, ["h", "m", "s"]) ?? 0), 0);
  if (!complete || interval < MIN_EVERY_MS || !Number.isSafeInteger(interval)) {
    throw new Error("expected a duration after @every, for example @every 30m or @every 1h30m");
  }
  return {
    next(after) {
      const due = new Date((Math.floor(after.getTime() / interval) + 1) * interval);
      return due.getTime() <= LATEST_MS ? due : undefined;
    },
    last: (until) => new Date(Math.floor(until.getTime() / interval) * interval),
  };
}

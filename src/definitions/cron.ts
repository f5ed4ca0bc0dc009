import { Cron, type CronOptions } from "croner";
import { errorMessage } from "../errors/error.ts";
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
 * When clocks are put forward, a fixed time that is left out is due at the end of what is left out, also where this is another
 * date, and a step such as *\/15 is not due there. When they are put back, a fixed time that comes twice is due the first time
 * only, and a step both times. Lists and ranges of minutes and hours are fixed times.
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
  const fixed = expression.startsWith("@")
    ? expression !== "@hourly"
    : !/[*?/]/.test(fields.slice(0, 2).join());
  const mode = expression.startsWith("@") ? "auto" : "5-part";
  const dueIn = (zone: string) => dueTimes(cronOf(pattern, { paused: true, timezone: zone, mode }));
  return fixed && timezone !== "UTC" ? fixedTimes(dueIn("UTC"), timezone) : dueIn(timezone);
}

/** @throws Error that does not begin with the name of a class of the library */
function cronOf(pattern: string, options: CronOptions): Cron {
  try {
    return new Cron(pattern, options);
  } catch (error) {
    throw new Error(errorMessage(error).replace(/^CronPattern: */, ""), { cause: error });
  }
}

function dueTimes(cron: Cron): CronSchedule {
  return {
    next: (after) => cron.nextRun(after) ?? undefined,
    // Croner looks for what is due before an instant, in whole seconds; the second of the instant itself counts too.
    last: (until) => cron.previousRuns(1, new Date((Math.floor(until.getTime() / 1_000) + 1) * 1_000))[0],
  };
}

/** Croner gives up a fixed time that is left out where that reaches into the next date. @param walls due times as clocks show them, in UTC */
function fixedTimes(walls: CronSchedule, timezone: string): CronSchedule {
  const clock = new ZoneClock(timezone);
  return {
    next(after) {
      let wall = walls.next(new Date(clock.wall(after.getTime())));
      while (wall && clock.instant(wall.getTime()) <= after.getTime()) wall = walls.next(wall);
      return wall && new Date(clock.instant(wall.getTime()));
    },
    last(until) {
      const at = until.getTime();
      // Clocks that were put back show a second time what they have shown already, and have shown more than that.
      const shown = clock.wall(at) + Math.max(0, clock.offset(at - DAY_MS) - clock.offset(at));
      let wall = walls.last(new Date(shown));
      while (wall && clock.instant(wall.getTime()) > at) wall = walls.last(new Date(wall.getTime() - 1));
      return wall && new Date(clock.instant(wall.getTime()));
    },
  };
}

const DAY_MS = 86_400_000;

/** What the clocks of a time zone show, as if it were UTC. */
class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const digits = "numeric";
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      era: "short",
      year: digits,
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    });
  }

  /** How far clocks are ahead of UTC at an instant. */
  offset(at: number): number {
    const of = Object.fromEntries(this.format.formatToParts(at).map(({ type, value }) => [type, value]));
    const year = of.era === "BC" ? 1 - Number(of.year) : Number(of.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(of.month) - 1, Number(of.day));
    wall.setUTCHours(Number(of.hour), Number(of.minute), Number(of.second));
    return wall.getTime() - Math.floor(at / 1_000) * 1_000;
  }

  wall(at: number): number {
    return at + this.offset(at);
  }

  /** When clocks show a time first; of one that is left out, the end of what is left out. */
  instant(wall: number): number {
    const before = this.offset(wall - DAY_MS);
    const after = this.offset(wall + DAY_MS);
    const [first = 0, later = 0] = [wall - before, wall - after].sort((a, b) => a - b);
    if (this.wall(first) === wall) return first;
    if (this.wall(later) === wall) return later;
    let [old, changed] = [first, later];
    while (changed - old > 1_000) {
      const middle = old + Math.floor((changed - old) / 2_000) * 1_000;
      if (this.offset(middle) === before) old = middle;
      else changed = middle;
    }
    return changed;
  }
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

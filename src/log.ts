import { type DestinationStream, destination, type Logger, pino } from "pino";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the parts of millrace log with: `log.info({ run: id }, "text")`. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/**
 * JSON lines on standard error, one per event, written synchronously so that the last line before a crash is there.
 * Callers pass names and ids, never headers, bodies or values of secrets.
 */
export function createLog(
  level: LogLevel,
  output: DestinationStream = destination({ dest: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  );
}

/** A log that keeps quiet, for a command that reports in its own words. */
export const silentLog: Log = pino({ level: "silent" });

/** Passes on the first call, and then one in so many milliseconds: for what would fill a log with one sentence. */
export function atMostEvery<Value>(
  milliseconds: number,
  report: (value: Value) => void,
): (value: Value) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    if (performance.now() - last < milliseconds) return;
    last = performance.now();
    report(value);
  };
}

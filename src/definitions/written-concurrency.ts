import { DAY_MS, type DurationUnit, parseDuration } from "../time/duration.ts";
import {
  DEFAULT_FORGET_AFTER,
  DEFAULT_LONGEST,
  DEFAULT_MAX_TURNS,
  type Debounce,
  type KeyedConcurrency,
} from "./concurrency.ts";
import type { Automation } from "./definition.ts";
import { optional } from "./inherit.ts";
import type { WrittenAutomation, WrittenConcurrency } from "./written.ts";

const UNITS: readonly DurationUnit[] = ["ms", "s", "m", "h", "d"];

/** A duration of the blocks `concurrency` and `debounce` in milliseconds; 0 for one that is not valid, which is an error elsewhere. */
export function writtenDuration(text: string): number {
  return parseDuration(text, UNITS) ?? 0;
}

/** What an automation says of deliveries that belong together, with every default in place. */
export function writtenConcurrency({
  concurrency,
  debounce,
}: NonNullable<WrittenAutomation["millrace"]>): Pick<Automation, "concurrency" | "keyed" | "debounce"> {
  return {
    ...(typeof concurrency === "object"
      ? { keyed: keyed(concurrency) }
      : optional("concurrency", concurrency)),
    ...optional("debounce", debounce && resolveDebounce(debounce)),
  };
}

function keyed({ key, whileRunning = "queue", forgetAfter, maxTurns }: WrittenConcurrency): KeyedConcurrency {
  return {
    key,
    whileRunning,
    forgetAfterMs: writtenDuration(forgetAfter ?? DEFAULT_FORGET_AFTER),
    maxTurns: maxTurns ?? DEFAULT_MAX_TURNS,
  };
}

function resolveDebounce({ quiet, longest }: { quiet: string; longest?: string }): Debounce {
  const quietMs = writtenDuration(quiet);
  return {
    quietMs,
    longestMs: longest === undefined ? Math.min(DEFAULT_LONGEST * quietMs, DAY_MS) : writtenDuration(longest),
  };
}

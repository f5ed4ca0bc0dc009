import { formatDuration } from "../../time/duration.ts";
import type { Debounce, DeliveryGrouping } from "../concurrency.ts";

type Resource = Record<string, unknown> & DeliveryGrouping;

/** A resource with its keys and durations as its file has them, so that whoever reads of a change finds it there. */
export function writtenForm(body: string): Record<string, unknown> {
  const { keyed, debounce, ...rest } = JSON.parse(body) as Resource;
  return {
    ...rest,
    ...(keyed ? { concurrency: writtenKeyed(keyed) } : {}),
    ...(debounce ? { debounce: writtenDebounce(debounce) } : {}),
  };
}

function writtenKeyed({ forgetAfterMs, ...keyed }: NonNullable<DeliveryGrouping["keyed"]>): object {
  return { ...keyed, forgetAfter: formatDuration(forgetAfterMs) };
}

export function writtenDebounce({ quietMs, longestMs }: Debounce): { quiet: string; longest: string } {
  return { quiet: formatDuration(quietMs), longest: formatDuration(longestMs) };
}

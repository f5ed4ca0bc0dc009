import { MillraceError } from "../../errors/error.ts";
import { type Frame, frameOf, type Period } from "../../insight/periods.ts";
import { DAY_MS } from "../../time/duration.ts";
import { instantIn } from "../../time/instant.ts";

const DEFAULT_LENGTH_MS = 30 * DAY_MS;

export interface AskedTime {
  start_date?: string;
  end_date?: string;
  group_by_period?: Period;
}

/** The time that a request asks figures of. @throws MillraceError `invalid_request` */
export function askedFrame({ start_date, end_date, group_by_period }: AskedTime, now: Date): Frame {
  const to = Math.min(instantIn(end_date) ?? now.getTime(), MAX_INSTANT);
  const from = Math.min(instantIn(start_date) ?? to - DEFAULT_LENGTH_MS, MAX_INSTANT);
  if (from > to) {
    throw new MillraceError("invalid_request", "start_date is later than end_date.", {
      remedy: "Without end_date, the time ends now.",
      extra: { field: "start_date" },
    });
  }
  const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return frameOf(span, group_by_period);
}

/** Before the last year whose instants sort as texts: a period that begins before it may end in the next one. */
const MAX_INSTANT = Date.UTC(9_999, 0) - 1;

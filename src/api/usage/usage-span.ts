import { MillraceError } from "../../errors/error.ts";
import type { Span } from "../../insight/usage.ts";
import { parseDuration } from "../../time/duration.ts";
import { parseInstant } from "../../time/instant.ts";

/** The span that a query asks for. @throws MillraceError `invalid_request` */
export function spanOf({ since, until }: { since: string; until?: string }, now: Date): Span {
  const from = instantIn("since", since, now);
  const to = until === undefined ? now.getTime() : instantIn("until", until, now);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** An instant, or how long ago it was. */
function instantIn(name: string, text: string, now: Date): number {
  const age = parseDuration(text, ["d", "h", "m", "s"]);
  const at = age === undefined ? parseInstant(text) : now.getTime() - age;
  // Further back than instants go is before everything.
  if (at !== undefined && Number.isFinite(at)) return Math.min(Math.max(at, 0), MAX_INSTANT);
  throw new MillraceError(
    "invalid_request",
    `The query parameter ${name} is ${JSON.stringify(text)}: expected a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d.`,
  );
}

/** The end of the year 9999, behind which instants no longer sort as texts. */
const MAX_INSTANT = Date.UTC(10_000, 0) - 1;

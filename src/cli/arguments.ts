import { InvalidArgumentError } from "commander";
import { period } from "../config/values.ts";
import { isUuid } from "../id.ts";
import { expiryAt } from "../principals/expiry.ts";
import { RUN_STATES, type RunState } from "../runs/state.ts";

/** What a list answers at most, as the API has it. */
const LARGEST_PAGE = 500;

/** How many of a list to show. @throws InvalidArgumentError */
export function pageLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LARGEST_PAGE)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${LARGEST_PAGE}.`);
  return limit;
}

/** States of runs, in letters of any case; an option that takes several collects them. @throws InvalidArgumentError */
export function runStates(text: string, before: RunState[] = []): RunState[] {
  const state = text.toUpperCase();
  if (!Object.hasOwn(RUN_STATES, state))
    throw new InvalidArgumentError(`Expected one of ${Object.keys(RUN_STATES).join(", ")}.`);
  return [...before, state as RunState];
}

/** The id of a run. @throws InvalidArgumentError */
export function runId(text: string): string {
  if (isUuid(text.toLowerCase())) return text;
  throw new InvalidArgumentError("Expected a UUID; `millrace runs list` shows the ids of runs.");
}

/** `owner/name` of a repository; an option that takes several collects them. @throws InvalidArgumentError */
export function repository(
  text: string,
  before: { owner: string; repo: string }[] = [],
): { owner: string; repo: string }[] {
  const [owner, repo, rest] = text.split("/");
  if (!owner || !repo || rest !== undefined) throw new InvalidArgumentError("Expected owner/name.");
  return [...before, { owner, repo }];
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** When something expires: so long from now (`30d`, `12h`), or an instant. @throws InvalidArgumentError */
export function expiry(text: string): string {
  const now = new Date();
  const expires = expiryAt(RFC_3339.test(text) ? Date.parse(text) : now.getTime() + periodOf(text), now);
  if (expires !== undefined) return expires;
  throw new InvalidArgumentError(
    "Expected a time ahead: a period such as 30d or 12h, or an instant such as 2027-01-31T18:00:00Z.",
  );
}

function periodOf(text: string): number {
  try {
    return period(text);
  } catch {
    return Number.NaN;
  }
}

import { InvalidArgumentError } from "commander";
import { period } from "../config/values.ts";
import { expiryAt } from "../principals/principal.ts";

/** What a list answers at most, as the API has it. */
export const MAX_PAGE = 500;

/** How many of a list to show, over as many pages as it takes. @throws InvalidArgumentError */
export function itemLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new InvalidArgumentError("Expected a whole number of at least 1.");
  return limit;
}

/** Some of these words, in letters of any case; an option that takes several collects them. */
export function someOf<Word extends string>(words: readonly Word[]) {
  return (text: string, before: Word[] = []): Word[] => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Expected one of ${words.join(", ")}.`);
    return [...before, found];
  };
}

/** The id of a run, or its first characters. @throws InvalidArgumentError */
export const runIdStart = idStart("run", "millrace runs list");

/** Several ids of runs, or their first characters. @throws InvalidArgumentError */
export function runIdStarts(text: string, before: string[] = []): string[] {
  return [...before, runIdStart(text)];
}

/** The id of a delivery, or its first characters. @throws InvalidArgumentError */
export const deliveryIdStart = idStart("delivery", "millrace deliveries list");

function idStart(what: string, shownBy: string) {
  return (text: string): string => {
    if (/^[0-9a-f][0-9a-f-]{3,35}$/i.test(text)) return text;
    throw new InvalidArgumentError(
      `Expected the ID of a ${what} (a UUID) or at least its first 4 characters. Run \`${shownBy}\` to list them.`,
    );
  };
}

/** The hash of a revision, or the first characters of it. @throws InvalidArgumentError */
export function revisionHash(text: string): string {
  if (/^[0-9a-fA-F]{7,64}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "Expected a hash or at least its first 7 characters. `git rev-parse` prints the hash of a commit; `millrace history` lists attempted revisions.",
  );
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

/** `key=value`; an option that takes several collects them. @throws InvalidArgumentError */
export function metadataPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([A-Za-z0-9._-]{1,64})=(.*)$/s.exec(text) ?? [];
  if (key !== undefined && value !== undefined) return { ...before, [key]: value };
  throw new InvalidArgumentError(
    "Expected key=value, where the key has 1 to 64 letters, digits, dots, underscores and hyphens.",
  );
}

/** The value of an option that may be repeated: collects them. */
export function textList(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** An instant, or a day, which is its beginning in UTC. */
const RFC_3339 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/i;

/** When something expires: so long from now (`30d`, `12h`), or an instant. @throws InvalidArgumentError */
export function expiry(text: string): string {
  const now = new Date();
  const expires = expiryAt(RFC_3339.test(text) ? Date.parse(text) : now.getTime() + periodOf(text), now);
  if (expires !== undefined) return expires;
  throw new InvalidArgumentError(
    "Expected a time in the future: a duration such as 30d or 12h, or a timestamp such as 2027-01-31T18:00:00Z.",
  );
}

/** When something was: an instant, or so long ago (`2h`, `3d`). @throws InvalidArgumentError */
export function instantPast(text: string): string {
  const at = RFC_3339.test(text) ? Date.parse(text) : Date.now() - periodOf(text);
  // Not for what is no number, and for no period that reaches back further than the clock does.
  if (at >= 0) return new Date(at).toISOString();
  throw new InvalidArgumentError(
    "Expected a timestamp such as 2026-01-31T18:00:00Z, or an age such as 2h or 3d.",
  );
}

/** How long one request may wait for the end of a run, as the API has it. @throws InvalidArgumentError */
export function requestWait(text: string): string {
  if (/^(\d{1,5}ms|\d{1,2}s|1m)$/.test(text) && periodOf(text) <= 60_000) return text;
  throw new InvalidArgumentError("Expected a duration of at most one minute, such as 500ms, 30s or 1m.");
}

/** The number of an event. @throws InvalidArgumentError */
export function eventNumber(text: string): string {
  if (/^\d{1,15}(?:\.\d{1,40})?$/.test(text)) return text;
  throw new InvalidArgumentError("Expected an event number, as printed with each event.");
}

function periodOf(text: string): number {
  try {
    return period(text);
  } catch {
    return Number.NaN;
  }
}

/** What was given of some options: a value that is not there is left out, as a request without it. */
export function present<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

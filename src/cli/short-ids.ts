import { MillraceError } from "../errors/error.ts";
import { isUuid } from "../id.ts";
import { printError } from "./output.ts";

/** So many of the ids that begin alike are listed. */
const MAX_SHOWN = 10;

export interface Named {
  /** What the id is of, with its plural. */
  what: readonly [one: string, several: string];
  /** The id, or its first characters. */
  start: string;
  /** The ids among which it is looked for, given the digits that it has, each with what tells it apart for a person. */
  candidates(digits: string): AsyncIterable<{ id: string; about: string }>;
  /** The command that shows such ids. */
  shownBy: string;
  /** How many of the candidates are looked at, and what is said when the id is not among them. */
  limit: { most: number; message: string; remedy: string };
}

/**
 * The id that begins like this: a whole one is taken as it is.
 * @throws MillraceError when none does, or several do, which are listed
 */
export async function findByStart({
  what: [one, several],
  start,
  candidates,
  shownBy,
  limit,
}: Named): Promise<string> {
  if (isUuid(start.toLowerCase())) return start;
  const digits = digitsOf(start);
  const found: { id: string; about: string }[] = [];
  let looked = 0;
  for await (const candidate of candidates(digits)) {
    if (digitsOf(candidate.id).startsWith(digits)) found.push(candidate);
    looked += 1;
    if (found.length > MAX_SHOWN || looked === limit.most) break;
  }
  const [only, another] = found;
  if (only && another) {
    for (const { id, about } of found.slice(0, MAX_SHOWN)) printError(`${id}  ${about}`);
    if (found.length > MAX_SHOWN) printError("… and others");
    throw new MillraceError("invalid_request", `More than one ${one} has an ID that begins with ${start}.`, {
      remedy: `Enter more characters, for example ${only.id} or ${another.id}.`,
    });
  }
  if (looked === limit.most)
    throw new MillraceError("invalid_request", limit.message, { remedy: limit.remedy });
  if (only) return only.id;
  throw new MillraceError("resource_not_found", `No ${one} has an ID that begins with ${start}.`, {
    remedy: `Run \`${shownBy}\` to list the IDs of ${several}.`,
  });
}

/** What of an id counts when two are compared. */
export function digitsOf(id: string): string {
  return id.toLowerCase().replaceAll("-", "");
}

/** The milliseconds of its making, with which an id begins. */
const LEAST = 13;

/**
 * Shortens the ids in a column of rows to as many characters as tell them apart, so that a line of the terminal has room for
 * the title. Commands take the first characters of an id. Pipes get whole ids.
 */
export function shortenIds(rows: string[][], column: number): void {
  const ids = rows.map((row) => row[column] ?? "");
  const longest = Math.max(0, ...ids.map((id) => id.length));
  let length = LEAST;
  const distinct = new Set(ids).size;
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < distinct) length += 1;
  for (const row of rows) row[column] = (row[column] ?? "").slice(0, length).replace(/-$/, "");
}

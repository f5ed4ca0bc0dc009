import { MillraceError } from "../errors/error.ts";
import { isUuid } from "../id.ts";

export interface Named {
  /** What the id is of, with its plural. */
  what: readonly [one: string, several: string];
  /** The id, or its first characters. */
  start: string;
  /** The ids among which it is looked for, given the digits that it has. */
  candidates(digits: string): AsyncIterable<string>;
  /** The command that shows such ids. */
  shownBy: string;
  /** How many of the candidates are looked at, and what is said when the id is not among them. */
  limit: { most: number; message: string; remedy: string };
}

/**
 * The id that begins like this: a whole one is taken as it is.
 * @throws MillraceError when none does or several do
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
  const found: string[] = [];
  let looked = 0;
  for await (const id of candidates(digits)) {
    if (digitsOf(id).startsWith(digits)) found.push(id);
    looked += 1;
    if (found.length > 1 || looked === limit.most) break;
  }
  const [id, another] = found;
  if (another !== undefined) {
    throw new MillraceError("invalid_request", `More than one ${one} has an ID that begins with ${start}.`, {
      remedy: `Enter more characters, for example ${found.join(" or ")}.`,
    });
  }
  if (looked === limit.most)
    throw new MillraceError("invalid_request", limit.message, { remedy: limit.remedy });
  if (id !== undefined) return id;
  throw new MillraceError("resource_not_found", `No ${one} has an ID that begins with ${start}.`, {
    remedy: `Run \`${shownBy}\` to list the IDs of ${several}.`,
  });
}

/** What of an id counts when two are compared. */
export function digitsOf(id: string): string {
  return id.toLowerCase().replaceAll("-", "");
}

import { createHash, timingSafeEqual } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import type { Sealer } from "../../secrets/seal.ts";

/** Where a list goes on: the position after the last row of a page, bound to the query that it came from. */
export interface Cursors {
  /** @param query what the list was asked, without limit and cursor */
  encode(query: object, position: readonly string[]): string;
  /** @throws MillraceError `invalid_request` for a cursor that was changed, or that came from another query */
  decode(query: object, cursor: string, parts: number): string[];
}

/** Cursors carry a code that only this server can make, so that none can be made up. */
export function createCursors(sealer: Pick<Sealer, "authenticate">): Cursors {
  const codeOf = (position: string, query: object) =>
    sealer.authenticate(`cursor:${hashOf(query)}:${position}`);
  return {
    encode(query, position) {
      const text = Buffer.from(JSON.stringify(position)).toString("base64url");
      return `${text}.${codeOf(text, query)}`;
    },
    decode(query, cursor, parts) {
      const [text = "", code = ""] = cursor.split(".");
      const expected = Buffer.from(codeOf(text, query));
      const given = Buffer.from(code);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new MillraceError("invalid_request", "cursor: not a cursor of this list with these filters.", {
          remedy: "Pass the next_cursor of the previous page, with the same filters and sorting.",
          extra: { field: "cursor" },
        });
      }
      const position = JSON.parse(Buffer.from(text, "base64url").toString()) as string[];
      if (position.length !== parts)
        throw new Error("a cursor of this server has a different number of parts");
      return position;
    },
  };
}

function hashOf(query: object): string {
  const sorted = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url");
}

import { createHash, timingSafeEqual } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import type { Sealer } from "../../secrets/seal.ts";

/** The request of a list, with the filters that its cursors are bound to. */
interface ListRequest {
  operation: string;
  path: object;
  query: { limit: number; cursor?: string };
}

/** What a list answers: the page and whether there is another. */
export interface Page<Item> {
  items: Item[];
  pageInfo: { has_next_page: boolean; next_cursor?: string };
}

/**
 * A page of a list that is at hand as a whole, sorted by a key that is unique in it.
 * @param keyOf tells the position of an item; the page after it starts with the first greater one
 */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  { operation, query, path }: ListRequest,
  cursors: Cursors,
): Page<Item> {
  const { limit, cursor, ...rest } = query;
  const scope = { operation, ...path, ...rest };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const sorted = [...all].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const following = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  return cutPage(following, limit, (last) => cursors.encode(scope, [keyOf(last)]));
}

/**
 * The page that begins a list, and whether there is another.
 * @param found one item more than the limit when there is another page
 * @param cursorAfter makes the cursor of the page after an item
 */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    items,
    pageInfo: more ? { has_next_page: true, next_cursor: cursorAfter(last) } : { has_next_page: false },
  };
}

/** Where a list goes on: the position after the last row of a page, bound to the query that it came from. */
export interface Cursors {
  /** @param query what the list was asked, without limit and cursor */
  encode(query: object, position: readonly string[]): string;
  /** @throws MillraceError `invalid_request` for a cursor that was changed, or that came from another query */
  decode(query: object, cursor: string, parts: number): string[];
  /** A number as digits that tell nothing of it. @param context what it belongs to; to reveal it as anything else fails */
  hide(number: number, context: string): string;
  /** @returns nothing for digits that this server has not made, or for another context */
  reveal(digits: string, context: string): number | undefined;
}

const NUMBER_BYTES = 7;
const CODE_BYTES = 8;

/** Cursors carry a code that only this server can make, so that none can be made up. */
export function createCursors(sealer: Pick<Sealer, "authenticate">): Cursors {
  const codeOf = (position: string, query: object) =>
    sealer.authenticate(`cursor:${hashOf(query)}:${position}`);
  // The code of a number is what it is hidden with, so that two numbers are never hidden with the same bytes.
  const bytesOf = (text: string, length: number) =>
    Buffer.from(sealer.authenticate(text), "base64url").subarray(0, length);
  const codeOfNumber = (number: number, context: string) =>
    bytesOf(`number:${context}:${number}`, CODE_BYTES);
  const mask = (number: Buffer, code: Buffer) => {
    const hiding = bytesOf(`hiding:${code.toString("hex")}`, NUMBER_BYTES);
    return Buffer.from(number.map((byte, index) => byte ^ (hiding[index] ?? 0)));
  };
  return {
    hide(number, context) {
      const code = codeOfNumber(number, context);
      const bytes = Buffer.alloc(NUMBER_BYTES);
      bytes.writeUIntBE(Math.floor(number / 256), 0, NUMBER_BYTES - 1);
      bytes.writeUInt8(number % 256, NUMBER_BYTES - 1);
      return BigInt(`0x${Buffer.concat([code, mask(bytes, code)]).toString("hex")}`).toString();
    },
    reveal(digits, context) {
      const hex = BigInt(digits)
        .toString(16)
        .padStart(2 * (CODE_BYTES + NUMBER_BYTES), "0");
      if (hex.length !== 2 * (CODE_BYTES + NUMBER_BYTES)) return undefined;
      const code = Buffer.from(hex.slice(0, 2 * CODE_BYTES), "hex");
      const bytes = mask(Buffer.from(hex.slice(2 * CODE_BYTES), "hex"), code);
      const number = bytes.readUIntBE(0, NUMBER_BYTES - 1) * 256 + bytes.readUInt8(NUMBER_BYTES - 1);
      if (!Number.isSafeInteger(number)) return undefined;
      return timingSafeEqual(code, codeOfNumber(number, context)) ? number : undefined;
    },
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

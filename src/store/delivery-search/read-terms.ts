import type { Database } from "../sqlite/database.ts";
import { type Bits, emptyBits, readPostings } from "./postings.ts";
import type { SegmentRow } from "./segment-rows.ts";
import { blocksFrom } from "./segment-rows.ts";
import { bytesIn, entriesOf } from "./term-blocks.ts";

/** So many words begin alike that reading them all would keep every other reader waiting. */
export class TooBroad extends Error {
  override name = "TooBroad";
}

/** Reads which deliveries of a segment have a term, and counts how many blocks that took. */
export interface TermReader {
  /** Those that have a term; nothing when none has. */
  having(segment: SegmentRow, term: string): Promise<Bits | undefined>;
  /** Those that have one of the terms that begin like this, or of some of those. */
  beginning(
    segment: SegmentRow,
    start: string,
    isWanted?: (term: string) => boolean,
  ): Promise<Bits | undefined>;
  readonly blocks: number;
}

/** @param mostBlocks after how many blocks the beginning of a word is `TooBroad` */
export function termReader(db: Database, mostBlocks: number): TermReader {
  let blocks = 0;
  return {
    async having({ segment, deliveries }, term) {
      const row = await db.first<{ data: Uint8Array }>(
        `SELECT data FROM delivery_terms WHERE segment = $1 AND first <= $2 ORDER BY first DESC LIMIT 1`,
        [segment, bytesIn(term)],
      );
      blocks += 1;
      if (!row) return undefined;
      for (const entry of entriesOf(row.data)) {
        if (entry.term < term) continue;
        if (entry.term > term) return undefined;
        const bits = emptyBits(deliveries);
        readPostings(bits, entry.kind, entry.postings, deliveries);
        return bits;
      }
      return undefined;
    },
    async beginning({ segment, deliveries }, start, isWanted = () => true) {
      let bits: Bits | undefined;
      for await (const data of blocksFrom(db, segment, bytesIn(start))) {
        blocks += 1;
        if (blocks > mostBlocks) throw new TooBroad();
        for (const { term, kind, postings } of entriesOf(data)) {
          if (term < start) continue;
          if (!term.startsWith(start)) return bits;
          if (!isWanted(term)) continue;
          bits ??= emptyBits(deliveries);
          readPostings(bits, kind, postings, deliveries);
        }
      }
      return bits;
    },
    get blocks() {
      return blocks;
    },
  };
}

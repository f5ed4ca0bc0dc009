import type { DeliveryFilter, DeliveryQuery } from "../../ingress/delivery.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { askedWords, facet } from "./delivery-words.ts";
import {
  type Bits,
  bytesIn,
  emptyBits,
  entriesOf,
  idAt,
  keepCommon,
  positionOf,
  positionsIn,
  readPostings,
} from "./segment.ts";
import { blocksFrom, idsIn, readySegments, type SegmentRow } from "./segment-rows.ts";

/** A page reads so much of the words, and looks at so many deliveries, before it ends early. */
const MAX_BLOCKS = 5_000;
/** Beginnings of words are read to their ends in each segment; a sender can have any number of words begin alike. */
const MAX_BLOCKS_OF_BEGINNINGS = 2 * MAX_BLOCKS;
const MAX_EXAMINED = 5_000;
const EXAMINED_TOGETHER = 250;
/** From so many webhooks on, all that a segment knows are read together. */
const MANY_WEBHOOKS = 4;

/** The ids between which is searched, from the newer one, exclusive, to the older one, inclusive. */
interface Range {
  before: string;
  from: string;
}

/** Whether a query is answered from the words of deliveries, which are recorded after them. */
export function isSearch({ text, event }: Pick<DeliveryFilter, "text" | "event">): boolean {
  return text !== undefined || event !== undefined;
}

/** What a page has of the ids that were found, and the one before which the next page goes on. */
interface Found {
  ids: string[];
  next: string | null;
  isTooBroad?: true;
}

/** As {@link searchPage}; nothing where the query asks for the beginnings of too many words. */
export async function searchDeliveries(
  db: Database,
  query: DeliveryQuery,
  range: Range,
  isKept: (ids: readonly string[]) => Promise<Set<string>>,
  mostBlocks: number = MAX_BLOCKS_OF_BEGINNINGS,
): Promise<Found> {
  try {
    return await searchPage(db, termReader(db, mostBlocks), query, range, isKept);
  } catch (error) {
    if (error instanceof TooBroad) return { ids: [], next: null, isTooBroad: true };
    throw error;
  }
}

/**
 * The ids of deliveries that have every word of a query, newest first, with the one before which the next page goes on.
 * @param isKept which of some deliveries fit what words do not tell
 */
async function searchPage(
  db: Database,
  terms: TermReader,
  query: DeliveryQuery,
  range: Range,
  isKept: (ids: readonly string[]) => Promise<Set<string>>,
): Promise<Found> {
  const asked = await readAsked(db, query);
  const segments = (await readySegments(db))
    .filter(({ first_id, last_id }) => first_id < range.before && last_id >= range.from)
    .sort((a, b) => (a.last_id < b.last_id ? 1 : -1));
  const found = new Set<string>();
  let examined = 0;
  /** Older than this, there may be what was not looked at. */
  let seenTo = "";
  for (const segment of segments) {
    const next = `${segment.last_id}~`;
    const isDone = [...found].filter((id) => id > segment.last_id).length > query.limit;
    if (isDone || terms.blocks > MAX_BLOCKS || examined >= MAX_EXAMINED) {
      seenTo = seenTo > next ? seenTo : next;
      break;
    }
    const bits = await fitting(terms, segment, asked);
    if (!bits) continue;
    const { positions, ids } = await newestWithin(db, segment, bits, range);
    let foundHere = 0;
    for (let at = 0; at < positions.length && foundHere <= query.limit; at += EXAMINED_TOGETHER) {
      const some = positions.slice(at, at + EXAMINED_TOGETHER).map((position) => idAt(ids, position));
      const kept = await isKept(some);
      examined += some.length;
      for (const id of some) if (kept.has(id)) found.add(id);
      foundHere += kept.size;
      const last = some.at(-1);
      if (examined >= MAX_EXAMINED && at + EXAMINED_TOGETHER < positions.length && last !== undefined) {
        seenTo = seenTo > last ? seenTo : last;
        break;
      }
    }
  }
  const ids = [...found].filter((id) => id >= seenTo).sort((a, b) => (a < b ? 1 : -1));
  if (ids.length <= query.limit) return { ids, next: seenTo === "" ? null : seenTo };
  const page = ids.slice(0, query.limit);
  return { ids: page, next: page.at(-1) ?? null };
}

/** What is asked of the words, in the order in which it is looked up: what most likely is rare comes first. */
interface Asked {
  words: string[];
  beginnings: string[];
  /** Of each group, one is enough. */
  anyOf: string[][];
  webhooks: ReadonlySet<string> | undefined;
}

async function readAsked(
  db: Database,
  { text, event, outcomes, started, webhooks }: DeliveryQuery,
): Promise<Asked> {
  const { words, beginnings } = askedWords(text ?? "");
  const byLength = (a: string, b: string) => b.length - a.length;
  const known = webhooks?.map(({ factoryUid, uid }) => facet.webhook(factoryUid, uid));
  for (const { factoryUid, uid } of webhooks ?? []) {
    const others = await db.all<{ uid: string }>(
      "SELECT other_uid AS uid FROM delivery_search_adoptions WHERE factory_uid = $1 AND webhook_uid = $2",
      [factoryUid, uid],
    );
    known?.push(...others.map((other) => facet.webhook(factoryUid, other.uid)));
  }
  return {
    words: words.sort(byLength),
    beginnings: beginnings.sort(byLength),
    anyOf: [
      ...(event === undefined ? [] : [[facet.event(event)]]),
      ...(outcomes ? [outcomes.map(facet.outcome)] : []),
      ...(started === true ? [[facet.started]] : []),
      ...(known && known.length <= MANY_WEBHOOKS ? [known] : []),
    ],
    webhooks: known && known.length > MANY_WEBHOOKS ? new Set(known) : undefined,
  };
}

/** The deliveries of a segment that have everything; nothing when none has. */
async function fitting(terms: TermReader, segment: SegmentRow, asked: Asked): Promise<Bits | undefined> {
  let fit: Bits | undefined;
  /** @returns whether any is left */
  const keep = (having: Bits | undefined) => {
    if (!having) return false;
    if (fit) return keepCommon(fit, having);
    fit = having;
    return true;
  };
  for (const word of asked.words) if (!keep(await terms.having(segment, word))) return undefined;
  for (const group of asked.anyOf) if (!keep(await havingAny(terms, segment, group))) return undefined;
  const { webhooks } = asked;
  if (webhooks && !keep(await terms.beginning(segment, facet.webhooks, (term) => webhooks.has(term))))
    return undefined;
  for (const start of asked.beginnings) if (!keep(await terms.beginning(segment, start))) return undefined;
  return fit;
}

async function havingAny(
  terms: TermReader,
  segment: SegmentRow,
  group: readonly string[],
): Promise<Bits | undefined> {
  const any = emptyBits(segment.deliveries);
  for (const term of group) {
    const having = await terms.having(segment, term);
    if (having) for (let at = 0; at < any.length; at += 1) any[at] = (any[at] ?? 0) | (having[at] ?? 0);
  }
  return any.some((byte) => byte !== 0) ? any : undefined;
}

/** The positions that are within a range, newest first, in the ids of their segment. */
async function newestWithin(
  db: Database,
  { segment }: SegmentRow,
  bits: Bits,
  { before, from }: Range,
): Promise<{ positions: number[]; ids: Uint8Array }> {
  const ids = await idsIn(db, segment);
  const [first, end] = [positionOf(ids, from), positionOf(ids, before)];
  const positions = positionsIn(bits).filter((position) => position >= first && position < end);
  return { positions: positions.reverse(), ids };
}

/** Whether deliveries are still stored, findable, and fit conditions on their row `d`. */
export function keptBy(db: Database, conditions: readonly string[]) {
  return async (ids: readonly string[]): Promise<Set<string>> => {
    const rows = await db.all<{ id: string }>(
      `SELECT d.delivery_id AS id FROM deliveries d WHERE d.delivery_id IN (${placeholders(EXAMINED_TOGETHER)})
         AND NOT EXISTS (SELECT 1 FROM delivery_search_gone g WHERE g.delivery_id = d.delivery_id)
         ${conditions.map((condition) => `AND ${condition}`).join(" ")}`,
      // One statement for every number of ids: what is left over is filled up with what no delivery has.
      Array.from({ length: EXAMINED_TOGETHER }, (_, index) => ids[index] ?? ""),
    );
    return new Set(rows.map(({ id }) => id));
  };
}

/** So many words begin alike that reading them all would keep every other reader waiting. */
class TooBroad extends Error {
  override name = "TooBroad";
}

/** Reads which deliveries of a segment have a term, and counts how many blocks that took. */
interface TermReader {
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
function termReader(db: Database, mostBlocks: number): TermReader {
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

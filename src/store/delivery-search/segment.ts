import { type SearchedDelivery, termsOf } from "./delivery-words.ts";
import { writePostings } from "./postings.ts";
import { blockWriter, type TermBlock } from "./term-blocks.ts";

/** The words of some deliveries, made once and never changed: a larger one takes the place of several. */
export interface Segment {
  /** The ids of its deliveries in rising order, sixteen bytes each. */
  ids: Uint8Array;
  blocks: TermBlock[];
}

export const ID_BYTES = 16;

/** Makes a segment of some deliveries, in any order. */
export function segmentOf(deliveries: readonly SearchedDelivery[]): Segment {
  const sorted = [...deliveries].sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
  const postings = new Map<string, number[]>();
  for (const [position, delivery] of sorted.entries()) {
    for (const term of termsOf(delivery)) {
      const positions = postings.get(term);
      if (positions) positions.push(position);
      else postings.set(term, [position]);
    }
  }
  const writer = blockWriter();
  for (const term of [...postings.keys()].sort(byBytes))
    writer.add(term, writePostings(postings.get(term) ?? [], sorted.length));
  return { ids: idBytes(sorted.map(({ delivery_id }) => delivery_id)), blocks: writer.end() };
}

export const byBytes = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function idBytes(ids: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(ids.length * ID_BYTES);
  for (const [index, id] of ids.entries())
    bytes.set(Buffer.from(id.replaceAll("-", ""), "hex"), index * ID_BYTES);
  return bytes;
}

export function idAt(ids: Uint8Array, position: number): string {
  const hex = Buffer.from(ids.buffer, ids.byteOffset + position * ID_BYTES, ID_BYTES).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function countOf(ids: Uint8Array): number {
  return ids.length / ID_BYTES;
}

/** The first position whose id is this one or follows it. */
export function positionOf(ids: Uint8Array, id: string): number {
  let [low, high] = [0, countOf(ids)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

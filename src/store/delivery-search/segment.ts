import { type SearchedDelivery, termsOf } from "./delivery-words.ts";

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

/** With what the database adds, a block fills one page. */
const BLOCK_BYTES = 3_900;

/** Terms in rising order with their postings; of each term, only what differs from the one before it. */
export interface TermBlock {
  /** Its first term. */
  first: Uint8Array;
  data: Uint8Array;
}

/** A term as it stands in a block. */
export interface Entry {
  term: string;
  kind: number;
  postings: Uint8Array;
}

/** Writes terms, which come in rising order, into blocks. */
export function blockWriter() {
  const blocks: TermBlock[] = [];
  let bytes: number[] = [];
  let [first, before] = ["", ""];
  const close = () => {
    if (bytes.length > 0) blocks.push({ first: bytesIn(first), data: Uint8Array.from(bytes) });
    bytes = [];
    before = "";
  };
  return {
    add(term: string, { kind, bytes: postings }: { kind: number; bytes: readonly number[] }): void {
      if (bytes.length > 0 && bytes.length + term.length + postings.length + 4 > BLOCK_BYTES) close();
      if (bytes.length === 0) first = term;
      const shared = commonLength(before, term);
      bytes.push(shared, term.length - shared);
      for (let at = shared; at < term.length; at += 1) bytes.push(term.charCodeAt(at));
      writeNumber(bytes, postings.length * 4 + kind);
      for (const byte of postings) bytes.push(byte);
      before = term;
    },
    get count() {
      return blocks.length;
    },
    /** Everything that was added. */
    end(): TermBlock[] {
      close();
      return blocks;
    },
  };
}

/** The terms of a block, in rising order. */
export function* entriesOf(data: Uint8Array): Generator<Entry> {
  let term = "";
  for (let at = 0; at < data.length; ) {
    const shared = data[at] ?? 0;
    const from = at + 2;
    const to = from + (data[at + 1] ?? 0);
    const suffix = String.fromCharCode(...data.subarray(from, to));
    term = term.slice(0, shared) + suffix;
    let [length, shift, byte] = [0, 0, 0];
    at = to;
    do {
      byte = data[at] ?? 0;
      length |= (byte & 127) << shift;
      shift += 7;
      at += 1;
    } while (byte > 127);
    const end = at + (length >>> 2);
    yield { term, kind: length & 3, postings: data.subarray(at, end) };
    at = end;
  }
}

/** One byte for each character: the order of the bytes is the order of the texts. */
export function bytesIn(term: string): Uint8Array {
  return Uint8Array.from(term, (character) => character.charCodeAt(0));
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length, 255);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Which deliveries of a segment have a word: a bit for each, in the order of their ids. */
export type Bits = Uint8Array;

/** How the positions are written: what is smallest. */
const KINDS = { gaps: 0, bits: 1, gapsOfOthers: 2 } as const;

/** @returns an empty set for so many deliveries */
export function emptyBits(deliveries: number): Bits {
  return new Uint8Array(Math.ceil(deliveries / 8));
}

function setBit(bits: Bits, position: number): void {
  bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
}

function hasBit(bits: Bits, position: number): boolean {
  return ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
}

/** Keeps of one set what the other has too. @returns whether anything is left */
export function keepCommon(bits: Bits, others: Bits): boolean {
  let any = 0;
  for (let at = 0; at < bits.length; at += 1) {
    const both = (bits[at] ?? 0) & (others[at] ?? 0);
    bits[at] = both;
    any |= both;
  }
  return any !== 0;
}

/** Writes rising positions. @returns what `readPostings` reads, with its kind */
export function writePostings(
  positions: readonly number[],
  deliveries: number,
): { kind: number; bytes: number[] } {
  const isMost = positions.length > deliveries / 2;
  const gaps = writeGaps(isMost ? others(positions, deliveries) : positions);
  if (gaps.length <= Math.ceil(deliveries / 8)) {
    return { kind: isMost ? KINDS.gapsOfOthers : KINDS.gaps, bytes: gaps };
  }
  const bits = emptyBits(deliveries);
  for (const position of positions) setBit(bits, position);
  return { kind: KINDS.bits, bytes: [...bits] };
}

/** Adds what was written to a set. */
export function readPostings(bits: Bits, kind: number, bytes: Uint8Array, deliveries: number): void {
  if (kind === KINDS.bits) {
    for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) | (bytes[at] ?? 0);
    return;
  }
  if (kind === KINDS.gaps) {
    readGaps(bytes, (position) => setBit(bits, position));
    return;
  }
  const without = emptyBits(deliveries);
  readGaps(bytes, (position) => setBit(without, position));
  for (let position = 0; position < deliveries; position += 1)
    if (!hasBit(without, position)) setBit(bits, position);
}

/** The positions that were written, rising. */
export function readPositions(kind: number, bytes: Uint8Array, deliveries: number): number[] {
  if (kind === KINDS.gaps) {
    const positions: number[] = [];
    readGaps(bytes, (position) => positions.push(position));
    return positions;
  }
  const bits = emptyBits(deliveries);
  readPostings(bits, kind, bytes, deliveries);
  return positionsIn(bits);
}

/** The positions of a set, rising. */
export function positionsIn(bits: Bits): number[] {
  const positions: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    const byte = bits[at] ?? 0;
    if (byte === 0) continue;
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) positions.push(at * 8 + bit);
  }
  return positions;
}

function others(positions: readonly number[], deliveries: number): number[] {
  const left: number[] = [];
  let next = 0;
  for (let position = 0; position < deliveries; position += 1) {
    if (positions[next] === position) next += 1;
    else left.push(position);
  }
  return left;
}

/** The distance of each position from the one before it, seven bits a byte. */
function writeGaps(positions: readonly number[]): number[] {
  const bytes: number[] = [];
  let before = -1;
  for (const position of positions) {
    writeNumber(bytes, position - before - 1);
    before = position;
  }
  return bytes;
}

function readGaps(bytes: Uint8Array, found: (position: number) => void): void {
  let position = -1;
  for (let at = 0; at < bytes.length; ) {
    let [gap, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at] ?? 0;
      gap |= (byte & 127) << shift;
      shift += 7;
      at += 1;
    } while (byte > 127);
    position += gap + 1;
    found(position);
  }
}

/** Appends a number, seven bits a byte, the lowest first. */
function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}

import { writeNumber } from "./postings.ts";

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

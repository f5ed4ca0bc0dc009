import { createScanning, type PatternScan } from "./pattern-scan.ts";
import { formsInOneLine, formsOverLines, joinedLines, longLines } from "./secret-forms.ts";

/** Replaces secrets in a stream of bytes, also where one is cut by the border of two chunks. */
export interface Masker {
  /** The bytes that can be shown now; the start of a possible secret is held back until more is known. */
  push(bytes: Buffer): Buffer;
  /** What was held back, once nothing more comes. */
  end(): Buffer;
  /** Takes bytes that nobody is shown. @returns whether a secret ends in them or before them */
  hasFound(bytes: Buffer): boolean;
}

const MASK = Buffer.from("********");
/** Shorter values would mask half of what an agent writes, and hide nothing that cannot be guessed. */
const MIN_MASKED = 4;

const UNMASKED: Masker = {
  push: (bytes) => bytes,
  end: () => Buffer.alloc(0),
  hasFound: () => false,
};

/** A stretch of text that secrets cover. */
type Span = [start: number, end: number];

/**
 * Prepares masking of every byte that belongs to one of the values, in any of their forms. Where they overlap, or one
 * contains another, the whole stretch becomes one mask: masking them one after the other would leave the rest of one to be
 * read.
 * @returns what makes a masker for each stream
 */
export function createMasking(values: Iterable<string>): () => Masker {
  // A shell takes the end of the last line away from what it reads.
  const all = [...values].flatMap((value) => [value, value.replace(/[\r\n]+$/, "")]);
  const masked = [...new Set(all.flatMap((value) => [value, ...longLines(value)]))].filter(
    (value) => Buffer.byteLength(value) >= MIN_MASKED,
  );
  if (masked.length === 0) return () => UNMASKED;
  const long = ({ length }: Buffer) => length >= MIN_MASKED;
  const createScan = createScanning(
    masked.flatMap(formsInOneLine).filter(long),
    [...masked.flatMap(formsOverLines), ...all.flatMap(joinedLines)].filter(long),
  );
  return () => createMasker(createScan());
}

/** Masks a text that is there as a whole. */
export function maskText(text: string, createMasker: () => Masker): string {
  const masker = createMasker();
  return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString("utf8");
}

function createMasker({ scan }: PatternScan): Masker {
  /** Bytes that may be the beginning of a secret. */
  let held: Buffer = Buffer.alloc(0);
  /** What secrets cover of them; a start below 0 belongs to a mask that has been shown. */
  let spans: Span[] = [];

  /** Shows what is before `decided`: nothing that comes can make a secret of it. */
  function show(bytes: Buffer, decided: number): Buffer {
    const shown: Buffer[] = [];
    let at = 0;
    for (const [start, end] of spans) {
      if (start >= decided) break;
      if (start >= 0) shown.push(bytes.subarray(at, start), MASK);
      at = end;
    }
    shown.push(bytes.subarray(at, Math.max(at, decided)));
    held = bytes.subarray(decided);
    spans = spans.filter(([, end]) => end > decided).map(([start, end]) => [start - decided, end - decided]);
    return shown.length === 1 && shown[0] ? shown[0] : Buffer.concat(shown);
  }

  return {
    push(bytes) {
      const text = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      return show(
        text,
        scan(text, held.length, (start, end) => cover(spans, [Math.max(0, start), end])),
      );
    },
    end: () => show(held, held.length),
    hasFound(bytes) {
      let isFound = false;
      const text = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const decided = scan(text, held.length, () => {
        isFound = true;
      });
      held = text.subarray(decided);
      return isFound;
    },
  };
}

/** Adds a span that ends after all others; those that it overlaps become one with it. */
function cover(spans: Span[], [start, end]: Span): void {
  let from = start;
  for (let last = spans.at(-1); last && from < last[1]; last = spans.at(-1)) {
    from = Math.min(from, last[0]);
    spans.pop();
  }
  spans.push([from, end]);
}

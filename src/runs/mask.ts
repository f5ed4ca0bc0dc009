/** Replaces secrets in a stream of bytes, also where one is cut by the border of two chunks. */
export interface Masker {
  /** The bytes that can be shown now; the start of a possible secret is held back until more is known. */
  push(bytes: Buffer): Buffer;
  /** What was held back, once nothing more comes. */
  end(): Buffer;
}

const MASK = "********";
/** Shorter values would mask half of what an agent writes, and hide nothing that cannot be guessed. */
const SHORTEST_MASKED = 4;

/** A stretch of text that secrets cover. */
type Span = [start: number, end: number];

/**
 * Masks every byte that belongs to one of the values. Where values overlap, or one contains another, the whole stretch
 * becomes one mask: masking them one after the other would leave the rest of one to be read.
 */
export function createMasker(values: Iterable<string>): Masker {
  // As latin1 each byte is one character, so that text operations work on bytes of any encoding.
  const secrets = [...new Set([...values].map((value) => Buffer.from(value).toString("latin1")))].filter(
    (value) => value.length >= SHORTEST_MASKED,
  );
  const longest = Math.max(0, ...secrets.map((secret) => secret.length));
  let held = "";
  /** How much of the beginning of `held` is covered by a mask that has been shown already. */
  let covered = 0;

  function show(text: string, decided: number): string {
    let shown = "";
    let at = covered;
    for (const [start, end] of coveredSpans(text, secrets, covered)) {
      if (start >= decided) break;
      const begun = start === 0 && covered > 0;
      if (!begun) shown += text.slice(at, start) + MASK;
      at = end;
    }
    covered = Math.max(0, at - decided);
    held = text.slice(decided);
    return shown + text.slice(at, Math.max(at, decided));
  }

  return {
    push(bytes) {
      if (secrets.length === 0) return bytes;
      const text = held + bytes.toString("latin1");
      return Buffer.from(show(text, text.length - openEnd(text, secrets, longest)), "latin1");
    },
    end: () => Buffer.from(show(held, held.length), "latin1"),
  };
}

/** Where secrets lie in a text, in order; those that overlap are one. The text may begin inside of one. */
function coveredSpans(text: string, secrets: readonly string[], begun: number): Span[] {
  const found: Span[] = begun > 0 ? [[0, begun]] : [];
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
      found.push([at, at + secret.length]);
  }
  found.sort(([a], [b]) => a - b);
  const spans: Span[] = [];
  for (const [start, end] of found) {
    const last = spans.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans;
}

/** The length of the longest end of the text with which a longer secret begins. */
function openEnd(text: string, secrets: readonly string[], longest: number): number {
  for (let length = Math.min(text.length, longest - 1); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (secrets.some((secret) => secret.length > length && secret.startsWith(end))) return length;
  }
  return 0;
}

/** So many bytes of their beginning tell where to look for patterns; none is shorter. */
export const BEGIN_BYTES = 3;

/** The bytes of a line break. */
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;

/** The first place from here on where a pattern may begin; the last two bytes are always such places. */
export type NextBegin = (bytes: Uint8Array, from: number) => number;

/**
 * Most places of most texts are passed over by one look into a table of how patterns begin.
 * @param overLines patterns between whose bytes a line break may stand
 */
export function createBegins(inOneLine: readonly Uint8Array[], overLines: readonly Uint8Array[]): NextBegin {
  const begins = new Uint8Array(1 << 16);
  const hash = (a: number, b: number, c: number) => ((a << 8) ^ (b << 4) ^ (c << 1) ^ (c << 9)) & 0xffff;
  for (const [a = 0, b = 0, c = 0] of [...inOneLine, ...overLines]) begins[hash(a, b, c)] = 1;
  for (const [a = 0, b = 0] of overLines) {
    for (const end of [NEWLINE, RETURN]) {
      for (const next of [NEWLINE, RETURN, b]) begins[hash(a, end, next)] = 1;
      begins[hash(a, b, end)] = 1;
    }
  }
  return (bytes, from) => {
    const last = bytes.length - (BEGIN_BYTES - 1);
    let at = from;
    while (
      at < last &&
      begins[hash(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number)] === 0
    )
      at += 1;
    return at;
  };
}

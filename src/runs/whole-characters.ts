/** A character of UTF-8 has at most four bytes. */
const LONGEST_BEGINNING = 3;

/**
 * How many bytes of a text in UTF-8 there are before a character that has only begun at its end. Bytes that are no UTF-8
 * count as whole: nothing that follows would make a character of them.
 */
export function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_BEGINNING, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return bytesOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function bytesOfCharacter(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0) return first < 0xf0 ? 3 : 1;
  return first >= 0xc0 ? 2 : 1;
}

import { StringDecoder } from "node:string_decoder";

/** A character of UTF-8 has at most four bytes. */
const BEGINNINGS = [1, 2, 3] as const;

/**
 * How many bytes of a text in UTF-8 there are before a character that has only begun at its end. Bytes that are no UTF-8
 * count as whole: nothing that follows would make a character of them. The bytes themselves stay as they are.
 */
export function wholeLength(bytes: Uint8Array): number {
  const begun = BEGINNINGS.find(
    (length) =>
      length <= bytes.length && new StringDecoder("utf8").write(Buffer.from(bytes.subarray(-length))) === "",
  );
  return bytes.length - (begun ?? 0);
}

import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

/** The length of a value stands before it, in so many bytes. */
const LENGTH_BYTES = 4;

/**
 * Sends and receives values over a stream between two processes of one user. Buffers, maps and dates arrive as they are.
 * @param onValue hears each value, in their order
 * @returns what sends one; nothing happens to one that is sent after the end of the stream
 */
export function exchangeFrames(stream: Duplex, onValue: (value: unknown) => void): (value: unknown) => void {
  let begun: Buffer[] = [];
  let length = 0;

  function take(bytes: number): Buffer {
    const all = begun.length === 1 && begun[0] ? begun[0] : Buffer.concat(begun);
    begun = all.length > bytes ? [all.subarray(bytes)] : [];
    length -= bytes;
    return all.subarray(0, bytes);
  }

  /** Of the next value, once its length has come. */
  let expected: number | undefined;
  stream.on("data", (bytes: Buffer) => {
    begun.push(bytes);
    length += bytes.length;
    for (;;) {
      if (expected === undefined && length >= LENGTH_BYTES) expected = take(LENGTH_BYTES).readUInt32LE();
      if (expected === undefined || length < expected) return;
      const frame = take(expected);
      expected = undefined;
      let value: unknown;
      try {
        value = deserialize(frame);
      } catch (error) {
        // Who writes that does not speak this language.
        stream.destroy(error as Error);
        return;
      }
      onValue(value);
    }
  });

  return (value) => {
    if (stream.destroyed || !stream.writable) return;
    const bytes = serialize(value);
    const head = Buffer.alloc(LENGTH_BYTES);
    head.writeUInt32LE(bytes.length);
    stream.cork();
    stream.write(head);
    stream.write(bytes);
    stream.uncork();
  };
}

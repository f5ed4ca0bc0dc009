/** The beginning of a body that comes in pieces. */
export interface Excerpt {
  add(chunk: Buffer): void;
  text(): string;
}

/** What is not seen, and what turns the direction of writing: a log would show it as something else. */
const UNSEEN = /[^\P{Cc}\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** Keeps so many bytes of what others have written, as text that can be shown. */
export function createExcerpt(maxBytes: number): Excerpt {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  return {
    add(chunk) {
      if (room === 0) return;
      const part = chunk.subarray(0, room);
      room -= part.length;
      // A copy, so that the rest of a large piece is not kept with it.
      chunks.push(Buffer.from(part));
    },
    text: () =>
      Buffer.concat(chunks).toString("utf8").replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(UNSEEN, ""),
  };
}

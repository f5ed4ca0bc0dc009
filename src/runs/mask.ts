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

/** Masks every one of the values, longest first, so that one secret inside another leaves no rest. */
export function createMasker(values: Iterable<string>): Masker {
  // As latin1 each byte is one character, so that text operations work on bytes of any encoding.
  const secrets = [...new Set([...values].map((value) => Buffer.from(value).toString("latin1")))]
    .filter((value) => value.length >= SHORTEST_MASKED)
    .sort((a, b) => b.length - a.length);
  let held = "";

  function mask(text: string): string {
    return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }

  return {
    push(bytes) {
      if (secrets.length === 0) return bytes;
      const text = mask(held + bytes.toString("latin1"));
      const keep = heldLength(text, secrets);
      held = text.slice(text.length - keep);
      return Buffer.from(text.slice(0, text.length - keep), "latin1");
    },
    end() {
      const rest = Buffer.from(held, "latin1");
      held = "";
      return rest;
    },
  };
}

/** The length of the longest end of the text that a secret starts with. */
function heldLength(text: string, secrets: readonly string[]): number {
  const longest = Math.min(text.length, (secrets[0]?.length ?? 1) - 1);
  for (let length = longest; length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (secrets.some((secret) => secret.length > length && secret.startsWith(end))) return length;
  }
  return 0;
}

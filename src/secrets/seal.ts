import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Seals values with a key, and opens them again. */
export interface Sealer {
  /** @param context what the value belongs to; opening it as anything else fails */
  seal(value: string, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): string;
  /** A code that proves that this server has made a text; it seals nothing. */
  authenticate(text: string): string;
}

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** AES-256-GCM with a fresh nonce each time: `version, nonce, tag, ciphertext`, the context being authenticated too. */
export function createSealer(key: Uint8Array): Sealer {
  // A key of its own, so that neither use of the master key tells anything about the other.
  const authenticationKey = Buffer.from(hkdfSync("sha256", key, "", "millrace authentication", KEY_BYTES));
  return {
    authenticate: (text) => createHmac("sha256", authenticationKey).update(text).digest("base64url"),
    seal(value, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION) throw new Error(`sealed with an unknown version (${bytes[0]})`);
      const iv = bytes.subarray(1, 1 + IV_BYTES);
      const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(tag);
      const ciphertext = bytes.subarray(1 + IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
    },
  };
}

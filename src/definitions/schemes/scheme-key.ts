import type { KeyForm, Scheme, SchemeMethod } from "./scheme.ts";

const ED25519_KEY_BYTES = 32;

/** The method that a secret is for, with the key that it holds; or why it cannot be used. */
export function chooseMethod(
  { methods }: Scheme,
  secret: string,
): { method: SchemeMethod; key: Buffer } | { unusable: string } {
  if (secret.trim() === "") return { unusable: "the webhook's secret is blank" };
  const method = methods.find(
    ({ key }) => !key.prefix || key.prefixOptional || secret.startsWith(key.prefix),
  );
  if (!method) return { unusable: "the secret does not have a form that the scheme supports" };
  const key = decodeKey(secret, method.key);
  if (!key || key.length === 0) {
    return { unusable: `the webhook's secret is not ${method.key.encoding}, which its scheme requires` };
  }
  if (method.kind === "signature" && method.algorithm === "ed25519" && key.length !== ED25519_KEY_BYTES) {
    return { unusable: `the webhook's secret is not an Ed25519 public key of ${ED25519_KEY_BYTES} bytes` };
  }
  return { method, key };
}

/** Node skips what is not of an encoding, so a text counts only when it is so from its first to its last character. */
export const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX = /^(?:[0-9a-fA-F]{2})*$/;

function decodeKey(secret: string, { prefix = "", encoding }: KeyForm): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  if (encoding === "text") return Buffer.from(text);
  return (encoding === "base64" ? BASE64 : HEX).test(text) ? Buffer.from(text, encoding) : undefined;
}

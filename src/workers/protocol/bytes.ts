/** How bytes stand in the JSON of the protocol. */
const KEY = "$base64";

/** Writes bytes within a value as base64, and a map as a list of its entries, so that JSON can carry them. */
export function toWire(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [KEY]: Buffer.from(value).toString("base64") };
  if (value instanceof Map) return [...value].map(toWire);
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toWire(inner)]));
}

/** Reads what `toWire` has written; a map stays a list of entries. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [first, ...rest] = entries;
  if (first?.[0] === KEY && rest.length === 0 && typeof first[1] === "string")
    return Buffer.from(first[1], "base64");
  return Object.fromEntries(entries.map(([key, inner]) => [key, fromWire(inner)]));
}

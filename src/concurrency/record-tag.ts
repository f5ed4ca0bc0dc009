import { createHash } from "node:crypto";

/** The ETags of which a record has to have one for a change to be made; nothing where any state will do. */
export type ExpectedTags = readonly string[] | undefined;

/** Tells one state of a record that the API keeps from another, as an entity tag (RFC 9110, 8.8.3). */
export function recordTag(record: object): string {
  // What happens to a schedule by itself is no change of it.
  const { lastRan: _ran, lastSpawnError: _error, ...settings } = record as Record<string, unknown>;
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return `"${createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 32)}"`;
}

/** Whether a record is not any more what a request has seen. */
export function isAnother(record: object, expected: ExpectedTags): boolean {
  return expected !== undefined && !expected.includes(recordTag(record));
}

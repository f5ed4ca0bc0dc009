import type { CallOptions } from "./options.ts";

/** Makes a change only if the resource still has this ETag. */
export function ifMatch(etag: string | undefined, options: CallOptions): CallOptions {
  return etag === undefined ? options : { ...options, headers: { ...options.headers, "if-match": etag } };
}

import type { CallOptions } from "./options.ts";

/** Has a change made only where what is changed is as its ETag says. */
export function ifMatch(etag: string | undefined, options: CallOptions): CallOptions {
  return etag === undefined ? options : { ...options, headers: { ...options.headers, "if-match": etag } };
}

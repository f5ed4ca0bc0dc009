import { MillraceError } from "../error.ts";
import type { ExpectedTags } from "../record-tag.ts";
import type { ApiRequest } from "./endpoint.ts";

/**
 * The ETags that a request names in If-Match, for what the public API has too: its clients send none, and then the last one
 * wins.
 */
export function expectedTags({ http: { request } }: ApiRequest): ExpectedTags {
  const tags = request.headers["if-match"]?.split(",").map((tag) => tag.trim());
  return tags?.includes("*") ? undefined : tags;
}

/** Somebody else was faster. */
export function changedMeanwhile(): MillraceError {
  return new MillraceError(
    "precondition_failed",
    "This is not what it was any more when the request was made.",
    {
      remedy: "Get it again, and send what you change with the ETag of that answer as If-Match.",
      extra: { field: "If-Match" },
    },
  );
}

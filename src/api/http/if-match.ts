import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import { MillraceError } from "../../errors/error.ts";
import type { ApiRequest } from "./endpoint.ts";

/**
 * The ETags that a request names in If-Match, for what the public API has too: its clients send none, and then the last one
 * wins.
 */
export function expectedTags({ http: { request } }: Pick<ApiRequest, "http">): ExpectedTags {
  const tags = request.headers["if-match"]?.split(",").map((tag) => tag.trim());
  return tags?.includes("*") ? undefined : tags;
}

/** Somebody else was faster. */
export function changedMeanwhile(): MillraceError {
  return new MillraceError(
    "precondition_failed",
    "The resource was modified after the ETag in If-Match was read.",
    {
      remedy: "Get the resource again, and send the change with the ETag of that response as If-Match.",
      extra: { field: "If-Match" },
    },
  );
}

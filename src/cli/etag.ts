import { MillraceError } from "../error.ts";

/** The version that a change is made of, as the server named it. @throws MillraceError `conflict` when it named none */
export function etagOf(response: Response): string {
  const etag = response.headers.get("etag");
  if (etag !== null) return etag;
  throw new MillraceError("conflict", "The server tells no ETag, so nothing was changed.", {
    remedy: "Use the command of the server's version, or a proxy in front that leaves ETag alone.",
  });
}

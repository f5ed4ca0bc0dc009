import { MillraceError } from "../errors/error.ts";

/** The version that a change is made of, as the server named it. @throws MillraceError `conflict` when it named none */
export function etagOf(response: Response): string {
  const etag = response.headers.get("etag");
  if (etag !== null) return etag;
  throw new MillraceError("conflict", "The server sent no ETag, so nothing was changed.", {
    remedy:
      "Use the CLI version that matches the server, and make sure that no proxy in front of the server removes the ETag header.",
  });
}

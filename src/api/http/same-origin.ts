import type { IncomingMessage } from "node:http";
import { MillraceError } from "../../errors/error.ts";

/** Who has a browser make a request: a page of this server, another page, or no browser at all. */
type Origin = "own page" | "other page" | "no browser";

/**
 * Tells by what browsers add and pages cannot change. SameSite=Strict would not be enough alone: to it every port of a
 * host is one site, and so is every subdomain of a domain, so a page of another program on this machine could have the
 * cookie sent. `Sec-Fetch-Site` knows the difference; where a browser leaves it out (plain http beyond loopback), `Origin`
 * is there with every request that writes.
 */
function originOf({ headers }: IncomingMessage, publicUrl: string): Origin {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" ? "own page" : "other page";
  const { origin } = headers;
  if (origin === undefined) return "no browser";
  if (origin === new URL(publicUrl).origin) return "own page";
  // Reached by another name than the public one: the cookie was set under that name too.
  return URL.canParse(origin) && new URL(origin).host === headers.host ? "own page" : "other page";
}

/**
 * For requests that a session cookie speaks for: they are made by pages of this server or not at all.
 * @throws MillraceError `not_authorized`
 */
export function requireSameOrigin(request: IncomingMessage, publicUrl: string): void {
  if (originOf(request, publicUrl) !== "own page") throw foreign();
}

/**
 * For signing in and out, which programs may do too.
 * @throws MillraceError `not_authorized` for a browser that another page has sent
 */
export function refuseOtherOrigins(request: IncomingMessage, publicUrl: string): void {
  if (originOf(request, publicUrl) === "other page") throw foreign();
}

function foreign(): MillraceError {
  return new MillraceError(
    "not_authorized",
    "A browser session can make changes only from pages of this server.",
    {
      remedy:
        "In programs, send `Authorization: Bearer <API key>` instead of a cookie. Behind a proxy, set MILLRACE_PUBLIC_URL to the URL that people use.",
    },
  );
}

import type { IncomingMessage } from "node:http";
import { parseCookie } from "cookie";
import type { CookieOptions } from "express";
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

/** What a browser is told to keep a session id under, and how. */
export interface SessionCookie {
  name: string;
  options: CookieOptions;
}

/**
 * Over https the browser sees to it that nobody but this very host can have set the cookie (`__Host-`), and that it never
 * travels in the clear. Over http, which is for loopback, there is neither.
 */
export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith("https:");
  return {
    name: secure ? "__Host-millrace_session" : "millrace_session",
    options: { httpOnly: true, sameSite: "strict", secure, path: "/" },
  };
}

/** The session id that a request carries. */
export function sessionIdOf({ headers }: IncomingMessage, publicUrl: string): string | undefined {
  if (headers.cookie === undefined) return undefined;
  return parseCookie(headers.cookie)[sessionCookie(publicUrl).name];
}

import type { IncomingMessage } from "node:http";
import { parseCookie } from "cookie";
import type { CookieOptions } from "express";

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

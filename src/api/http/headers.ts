import type { NextFunction, Request, Response } from "express";

/**
 * The header by which an answer of this API is told from that of any other server: a proxy's error page, or a service
 * that listens on the same port.
 */
export const API_HEADER = "millrace-api";
/** The version of the API that answers. */
export const API_VERSION = "v1";
/** The header by which our own clients say what they are: `cli` or `web`. */
export const CLIENT_HEADER = "millrace-client";
/**
 * The header by which the dashboard says that a person is there: somebody has touched the page in the last minute. What a
 * page asks for by itself does not have it, and keeps no idle session alive.
 */
export const ACTIVITY_HEADER = "millrace-activity";

/** Answers load nothing; what is a page of its own names its own policy. Other hosts of the domain are not millrace's business. */
export const ANSWER_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"], "base-uri": ["'none'"] },
  },
  strictTransportSecurity: { includeSubDomains: false },
};

/**
 * A tag says of what a change is made, and the same one can stand beside other facts: a webhook gets its secret, and its file
 * is as it was. A browser that kept the answer would show what was.
 */
export function keptByNoCache(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader("cache-control", "no-store");
  next();
}

/** The header of a list that is behind, as the description of the API has it. */
export const LIST_LAG_HEADER = {
  "Millrace-List-Lag": {
    description:
      "For how many seconds changes have been waiting to appear in the list. The header is missing if the list is up to date.",
    schema: { type: "integer", minimum: 1 },
  },
} as const;

/** Tells the caller of a list for how many whole seconds a change has been waiting to appear in it. */
export function setListLag(response: Response, behindSince: string | undefined): void {
  if (behindSince === undefined) return;
  const seconds = Math.floor((Date.now() - Date.parse(behindSince)) / 1_000);
  if (seconds > 0) response.setHeader("Millrace-List-Lag", String(seconds));
}

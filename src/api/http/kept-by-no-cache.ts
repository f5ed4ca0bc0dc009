import type { NextFunction, Request, Response } from "express";

/**
 * A tag says of what a change is made, and the same one can stand beside other facts: a webhook gets its secret, and its file
 * is as it was. A browser that kept the answer would show what was.
 */
export function keptByNoCache(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader("cache-control", "no-store");
  next();
}

import type { Request, Response } from "express";
import { MillraceError } from "../../errors/error.ts";

/** Answers what is asked of a path in a way that it does not know. */
export function refuseMethod(allowed: readonly string[]) {
  return (request: Request, response: Response): void => {
    response.setHeader("allow", allowed.join(", "));
    throw new MillraceError(
      "method_not_allowed",
      `${request.method} is not allowed here; allowed: ${allowed.join(", ")}.`,
    );
  };
}

import express, { type Request, type Response } from "express";
import { MillraceError } from "../error.ts";
import { parseJson } from "../ingress/read-body.ts";

/** Five attachments of a few megabytes each, in base64. */
const LARGEST_BODY = "16mb";
/** Deeper values overflow the stack of whatever walks them. */
const MOST_LEVELS = 100;
/** What walks a value pays for each part of it. The payload of a delivery has at most so many. */
const MOST_VALUES = 150_000;

const readers = new Map<string, ReturnType<typeof express.raw>>();

/** Reads the bytes of a body whatever its media type says. */
function reader(limit: string) {
  const known = readers.get(limit) ?? express.raw({ type: () => true, limit });
  readers.set(limit, known);
  return known;
}

/**
 * The body as JSON, whatever its media type says; nothing when there is none.
 * @throws MillraceError `invalid_request`, `payload_too_large`
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  limit = LARGEST_BODY,
): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    reader(limit)(request, response, (error: unknown) => (error ? reject(error) : resolve()));
  });
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return undefined;
  const parsed = parseJson(request.body);
  if (!parsed) {
    throw new MillraceError("invalid_request", "The body of the request is not valid JSON in UTF-8.");
  }
  checkExtent(parsed.value);
  return parsed.value;
}

/** @throws MillraceError `invalid_request` for a value that goes too deep or has too many parts */
function checkExtent(value: unknown): void {
  let left = MOST_VALUES;
  const visit = (inner: unknown, level: number): void => {
    left -= 1;
    if (left < 0) throw tooMuch(`has over ${MOST_VALUES} values`);
    if (typeof inner !== "object" || inner === null) return;
    if (level === MOST_LEVELS) throw tooMuch(`nests over ${MOST_LEVELS} levels`);
    for (const each of Object.values(inner)) visit(each, level + 1);
  };
  visit(value, 0);
}

function tooMuch(what: string): MillraceError {
  return new MillraceError("invalid_request", `The body of the request ${what}.`);
}

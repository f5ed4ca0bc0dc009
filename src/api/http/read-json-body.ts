import type { Request } from "express";
import type { BodyRoom } from "../../edge/body-room.ts";
import { bodyReader, SenderGone } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";

/** Five attachments of a few megabytes each, in base64. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Deeper values overflow the stack of whatever walks them. */
const MAX_LEVELS = 100;
/** What walks a value pays for each part of it. The payload of a delivery has at most so many. */
const MAX_VALUES = 150_000;

/** Reads bodies of requests to the API, of at most so many bytes and values. */
export type ReadJsonBody = (request: Request, largest?: number, mostValues?: number) => Promise<unknown>;

/**
 * Makes a reader of bodies as JSON, whatever their media type says; nothing where there is none.
 * It throws MillraceErrors: `invalid_request`, `payload_too_large`, `service_unavailable` when there is no room.
 */
export function jsonBodyReader(room: BodyRoom): ReadJsonBody {
  return async (request, largest = MAX_BODY_BYTES, mostValues = MAX_VALUES) => {
    refuseEncoded(request);
    const body = await bodyReader({ room, limit: largest })(request).catch((error) => {
      throw error instanceof SenderGone ? notWhole() : error;
    });
    if ("tooLarge" in body) {
      throw new MillraceError(
        "payload_too_large",
        `The body of the request is larger than ${largest} bytes.`,
      );
    }
    if (body.bytes.length === 0) return undefined;
    const parsed = body.json();
    if (!parsed)
      throw new MillraceError("invalid_request", "The body of the request is not valid JSON in UTF-8.");
    checkExtent(parsed.value, mostValues);
    return parsed.value;
  };
}

/** What is packed small may unpack to any size. */
function refuseEncoded({ headers }: Request): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() === "identity") return;
  throw new MillraceError(
    "invalid_request",
    `The body of the request has the unsupported Content-Encoding ${encoding}.`,
    {
      remedy: "Send the body without a Content-Encoding.",
    },
  );
}

/** Nobody is left to read it. */
function notWhole(): MillraceError {
  return new MillraceError(
    "invalid_request",
    "The connection ended before the whole body of the request was received.",
  );
}

/** @throws MillraceError `invalid_request` for a value that goes too deep or has too many parts */
function checkExtent(value: unknown, mostValues: number): void {
  let left = mostValues;
  const visit = (inner: unknown, level: number): void => {
    left -= 1;
    if (left < 0) throw tooMuch(`has more than ${mostValues} values`);
    if (typeof inner !== "object" || inner === null) return;
    if (level === MAX_LEVELS) throw tooMuch(`is nested more than ${MAX_LEVELS} levels deep`);
    for (const each of Object.values(inner)) visit(each, level + 1);
  };
  visit(value, 0);
}

function tooMuch(what: string): MillraceError {
  return new MillraceError("invalid_request", `The body of the request ${what}.`);
}

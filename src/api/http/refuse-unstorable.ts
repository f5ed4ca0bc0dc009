import type { NextFunction, Request, Response } from "express";
import { formatPath } from "../../definitions/loading/explain-violation.ts";
import { MillraceError } from "../../errors/error.ts";
import { type TextPath, unstorableTexts, whyUnstorable } from "../../platform/storable-text.ts";

/** No one reads more of them. */
const MAX_UNSTORABLE = 50;

/**
 * Refuses texts that not every database stores as they are, before anything is looked up or written with them.
 * @param what the values are, at the beginning of a sentence
 * @param bytes the fields that are no text, such as `files.content`
 * @throws MillraceError `invalid_request` that names each of them
 */
export function refuseUnstorable(values: unknown, what: string, bytes: readonly string[] = []): void {
  const isText = (path: TextPath) => {
    const name = path.filter((step) => typeof step === "string").join(".");
    return !bytes.some((field) => name === field || name.startsWith(`${field}.`));
  };
  const errors = unstorableTexts(values, { most: MAX_UNSTORABLE, isText }).map(({ path, text }) => {
    const field = formatPath(path).toWellFormed().replaceAll("\0", "\\u0000");
    return { field, message: `"${field}": ${whyUnstorable(text)}` };
  });
  if (errors.length === 0) return;
  const message = errors.map((error) => error.message).join("; ");
  throw new MillraceError("invalid_request", `${what} cannot be stored: ${message}.`, {
    remedy: "Remove these characters from the text.",
    extra: { field: errors[0]?.field, errors },
  });
}

/** The only way to write NUL in a URL: Node refuses the character itself, there and in headers. */
const NUL_IN_URL = "%00";

/** Refuses requests with such a text in their path or query, whatever they ask for: some are looked up before they are checked. */
export function refuseUnstorableUrl({ originalUrl }: Request, _response: Response, next: NextFunction): void {
  if (originalUrl.includes(NUL_IN_URL)) {
    const [path = "", ...rest] = originalUrl.split("?");
    if (path.includes(NUL_IN_URL)) refuseUnstorable({ path: "\0" }, "The path of the request");
    refuseUnstorable(Object.fromEntries(new URLSearchParams(rest.join("?"))), "The query of the request");
  }
  next();
}

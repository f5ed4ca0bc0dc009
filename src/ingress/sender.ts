import { SCHEMES } from "../definitions/schemes/schemes.ts";
import { type Arrival, headerText, PRINTABLE } from "./arrival.ts";
import type { Sender } from "./delivery.ts";

/** In code points. */
const MAX_VALUE = 200;

/** The headers of the schemes that say what a delivery tells of and which one it is, in lower case: none of them is a credential. */
const KEPT_HEADERS = [
  ...new Set(
    Object.values(SCHEMES).flatMap(({ eventHeader, methods }) => [
      ...(eventHeader === undefined ? [] : [eventHeader]),
      ...methods.flatMap(({ deliveryId }) =>
        deliveryId && "headers" in deliveryId ? [...deliveryId.headers] : [],
      ),
    ]),
  ),
];

/** What the log keeps of who sent a delivery: bounded, and with nothing in it that steers a terminal. */
export function senderOf(address: string, headers: Arrival["headers"]): Sender {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = boundedText(headers[name]);
    if (value !== null) kept[name] = value;
  }
  return {
    address,
    contentType: boundedText(headers["content-type"]),
    userAgent: boundedText(headers["user-agent"]),
    headers: kept,
  };
}

const FIRST = new RegExp(`^.{0,${MAX_VALUE}}`, "su");
/** Control characters, and what has a line read in another order than it stands there. */
const CONTROL_CHARACTERS = /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;

function boundedText(values: readonly string[] | undefined): string | null {
  const text = headerText(values);
  if (text === undefined) return null;
  if (text.length <= MAX_VALUE && PRINTABLE.test(text)) return text;
  const first = FIRST.exec(text)?.[0] ?? "";
  return (first.length < text.length ? `${first}…` : text).replace(CONTROL_CHARACTERS, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

import { isUtf8 } from "node:buffer";
import { at } from "../definitions/filters/payload-field.ts";
import type { DeliveryIdPlace } from "../definitions/schemes/scheme.ts";
import { SCHEMES } from "../definitions/schemes/schemes.ts";
import { pathOf } from "../edge/masked-path.ts";
import type { RequestBody } from "../edge/read-body.ts";
import { isUid } from "../id.ts";
import type { Sender } from "./delivery.ts";

/** What of a request a credential is checked against, beside its body. */
export interface Arrival {
  /** Every value of each header, names in lower case. */
  headers: NodeJS.Dict<string[]>;
  /** The path segment behind the webhook's uid, decoded. */
  urlToken: string | undefined;
  /** Milliseconds of the wall clock, which signed timestamps are held against. */
  now: number;
}

/** Whether a delivery may come in; when not, why, for the owner and not for the sender. */
export type Authentication =
  | {
      ok: true;
      /** The provider's own id of the delivery. */
      providerId?: string | undefined;
      /** Which secret has proved it, where that is not the current one. */
      provedBy?: "previous";
    }
  | { ok: false; reason: string };

/** Every value of each header. A header may have any name, so the map has no names of its own. */
export function headersOf(rawHeaders: readonly string[]): Arrival["headers"] {
  const headers: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const values = headers[name];
    if (values) values.push(value);
    else headers[name] = [value];
  }
  return headers;
}

/** ASCII without control characters: most texts of senders, which need no further look. */
const PRINTABLE = /^[ -~]*$/;

/** A header's text as its sender wrote it: Node reads byte for byte, and what is UTF-8 was meant as that. */
export function headerText(values: readonly string[] | undefined): string | undefined {
  const value = values?.length === 1 ? values[0] : values?.join(", ");
  if (!value) return undefined;
  if (PRINTABLE.test(value)) return value;
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : value;
}

/** The one value of a header that may stand once; of several names, the first that is there. */
export function onlyHeader(
  { headers }: Arrival,
  names: readonly string[],
): { value: string } | { reason: string } {
  const name = presentName(headers, names);
  const [value = "", second] = headers[name] ?? [];
  if (second !== undefined) return { reason: `the ${name} header is repeated` };
  return value === "" ? { reason: `the ${name} header is missing` } : { value };
}

/** Of several names for one header, the first that is there; else the one to speak of. */
export function presentName(headers: Arrival["headers"], names: readonly string[]): string {
  return names.find((candidate) => headers[candidate] !== undefined) ?? names.at(-1) ?? "";
}

/** The log keeps ids, also of duplicates, which are to keep metadata only: a longer text is no id. */
const MAX_BODY_ID = 1_000;

/** A provider's own id of a delivery: the text of a header, or of a field of the body. */
export function deliveryIdAt(
  place: DeliveryIdPlace | undefined,
  arrival: Arrival,
  body: RequestBody,
): string | undefined {
  if (!place) return undefined;
  if ("body" in place) {
    const id = at(body.json()?.value, ...place.body);
    return typeof id === "string" && id !== "" && id.length <= MAX_BODY_ID ? id : undefined;
  }
  return headerText(place.headers.map((name) => arrival.headers[name]).find((values) => values));
}

/** Every path below this prefix is ingress and nothing else. */
export const INGRESS_PREFIX = "/webhooks/w/";

/** Whether a request is the ingress's to answer, whatever the answer is. */
export function isIngress(url: string | undefined): boolean {
  return url !== undefined && pathOf(url).startsWith(INGRESS_PREFIX);
}

const ADDRESS = /^\/webhooks\/w\/([^/]+)(?:\/([^/]+))?$/;

/** The uid of the webhook that a request is addressed to, with the token of its URL; nothing where none can be. */
export function addressOf(url: string): { uid: string; urlToken: string | undefined } | undefined {
  const [, uid, segment] = ADDRESS.exec(pathOf(url)) ?? [];
  if (uid === undefined || !isUid(uid)) return undefined;
  return { uid, urlToken: segment === undefined ? undefined : decoded(segment) };
}

/** An escaped unreserved character is the same character (RFC 3986, 6.2.2.2); what does not decode stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

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

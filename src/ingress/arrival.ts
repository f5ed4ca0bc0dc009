import { isUtf8 } from "node:buffer";
import type { DeliveryIdPlace } from "../definitions/schemes/scheme.ts";
import type { RequestBody } from "../edge/read-body.ts";

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
export const PRINTABLE = /^[ -~]*$/;

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
    const id = fieldOf(body.json()?.value, place.body);
    return typeof id === "string" && id !== "" && id.length <= MAX_BODY_ID ? id : undefined;
  }
  return headerText(place.headers.map((name) => arrival.headers[name]).find((values) => values));
}

/** What stands at a path of keys inside a parsed body. */
export function fieldOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

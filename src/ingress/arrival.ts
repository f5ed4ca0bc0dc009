import type { DeliveryIdPlace } from "../definitions/scheme.ts";
import type { DeliveryBody } from "./read-body.ts";

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
  | { ok: true /** The provider's own id of the delivery. */; providerId?: string | undefined }
  | { ok: false; reason: string };

/** The one value of a header that may stand once; of several names, the first that is there. */
export function onlyHeader(
  { headers }: Arrival,
  names: readonly string[],
): { value: string } | { reason: string } {
  const name = names.find((candidate) => headers[candidate] !== undefined) ?? names.at(-1) ?? "";
  const [value = "", second] = headers[name] ?? [];
  if (second !== undefined) return { reason: `the ${name} header is repeated` };
  return value === "" ? { reason: `the ${name} header is missing` } : { value };
}

/** The log keeps ids, also of duplicates, which are to keep metadata only: a longer text is no id. */
const LONGEST_BODY_ID = 1_000;

/** A provider's own id of a delivery: the text of a header, or of a field of the body. */
export function deliveryIdAt(
  place: DeliveryIdPlace | undefined,
  arrival: Arrival,
  body: DeliveryBody,
): string | undefined {
  if (!place) return undefined;
  if ("body" in place) {
    const id = fieldOf(body.json()?.value, place.body);
    return typeof id === "string" && id !== "" && id.length <= LONGEST_BODY_ID ? id : undefined;
  }
  const name = place.headers.find((candidate) => arrival.headers[candidate]);
  return (name && arrival.headers[name]?.join(", ")) || undefined;
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

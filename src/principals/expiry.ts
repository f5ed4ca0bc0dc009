/** Later instants have more than four digits of a year, which RFC 3339 does not know. */
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * When a key is to expire, in the form that instants are stored in.
 * @returns nothing unless the instant is ahead; a leap second, which RFC 3339 allows and Date does not know, is none
 */
export function expiryAt(instant: number, now: Date): string | undefined {
  return instant > now.getTime() && instant <= LAST_INSTANT ? new Date(instant).toISOString() : undefined;
}

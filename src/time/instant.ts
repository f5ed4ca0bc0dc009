const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+ -])(\d\d):(\d\d))?$/;

/** A day by itself is its beginning. */
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads an instant of RFC 3339 as clients write it in queries: without an offset it is UTC, and a `+` that nobody has
 * encoded has become a space. A part of a millisecond puts it behind everything that is dated to that millisecond.
 * @returns milliseconds, or nothing for what is no instant, the 31st of February among it
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(DATE.test(text) ? `${text}T00:00:00Z` : text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = "", sign = "+", offsetHours = "0", offsetMinutes = "0"] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) {
    return undefined;
  }
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return date.getTime() - offset + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
}

/** Reads an instant of a query that may be left out. */
export function instantIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(text);
}

/** What a time zone is called: a name of the IANA database, which is in Node itself. */
export const EXPECTED_TIME_ZONE = "expected a name of the IANA time zone database, for example Europe/Berlin";

const MAX_NAME = 100;

/** Whether a text is the name of a time zone that is known here. Offsets such as +02:00 are none: they know no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > MAX_NAME) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

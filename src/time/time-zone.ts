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

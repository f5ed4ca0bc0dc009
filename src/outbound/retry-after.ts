/**
 * How long to wait by a `Retry-After` header, in milliseconds (RFC 9110, 10.2.3).
 * @returns nothing when there is none, or it is neither seconds nor a date
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

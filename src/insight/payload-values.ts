import { at } from "../definitions/filters/payload-field.ts";

/** Longer texts are shown by nobody; they are kept for a year. */
const MAX_TEXT = 256;

/** A text in a payload, cut to what is kept. @returns nothing where there is none */
export function textAt(payload: unknown, ...path: string[]): string | null {
  const value = at(payload, ...path);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT) : null;
}

/** An address in a payload, as it is. */
export function urlAt(payload: unknown, ...path: string[]): string | null {
  const value = at(payload, ...path);
  return typeof value === "string" ? value : null;
}

/** A count or a number of a payload. */
export function countAt(payload: unknown, ...path: string[]): number | null {
  const value = at(payload, ...path);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** An instant of a payload in any of the forms that forges write: `2026-01-31T12:00:00+02:00`, `2026-01-31 12:00:00 UTC`. */
export function instantAt(payload: unknown, ...path: string[]): string | null {
  const time = Date.parse(textAt(payload, ...path) ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

import { pluralize } from "../../pluralize.ts";
import { formatDuration } from "../../time/duration.ts";
import type { Debounce, DeliveryGrouping } from "../definition.ts";

/** What differs between two forms of a resource at one place, short enough to be read in a list. */
export interface FieldChange {
  /** As `triggers[0].payload.branch`. */
  field: string;
  /** As JSON, cut; of a text of several lines, the first line that differs. Null for what was not, or is not, there. */
  before: string | null;
  after: string | null;
  /** Of a text of several lines: which line is shown, and how many give way to how many. */
  lines: { first: number; before: number; after: number } | null;
}

/** More differences of one resource than this are not told. */
const MOST = 20;
const MAX_SHOWN = 80;
/** What an MCP server is called with can be a credential, against all advice. */
const HIDDEN = /(^|\.)(?:m|ownM)cpServers\.[^.]+\.(env|headers|args)([.[]|$)/;
/** The name of a secret is no credential. */
const NAMED_SECRET = /\.(?:env|headers)\.[^.]+\.secret$/;
const NOT_SHOWN = "(not shown)";

/** The differences of two resources, in the order of their fields. @param before, after their trusted forms as JSON */
export function fieldChanges(before: string, after: string): FieldChange[] {
  const found: FieldChange[] = [];
  compare("", writtenForm(before), writtenForm(after), found);
  return found.slice(0, MOST);
}

function compare(field: string, before: unknown, after: unknown, found: FieldChange[]): void {
  if (found.length >= MOST || JSON.stringify(before) === JSON.stringify(after)) return;
  if (isParted(before) && isParted(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const name = Array.isArray(before) ? `${field}[${key}]` : field === "" ? key : `${field}.${key}`;
      compare(name, own(old, key), own(now, key), found);
    }
    return;
  }
  if (HIDDEN.test(field) && !NAMED_SECRET.test(field)) {
    found.push({ field, before: hiddenText(before), after: hiddenText(after), lines: null });
  } else if (isLong(before) && isLong(after)) found.push(lineChange(field, before, after));
  else found.push({ field, before: shown(before, field), after: shown(after, field), lines: null });
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isParted(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && (value.includes("\n") || value.length > MAX_SHOWN);
}

/** Lines that are the same at the start and at the end are no part of what gives way to what. */
function lineChange(field: string, before: string, after: string): FieldChange {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - first;
  while (same < most && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  const counts = { first: first + 1, before: old.length - same - first, after: now.length - same - first };
  return {
    field,
    before: counts.before === 0 ? null : cut(old[first] ?? ""),
    after: counts.after === 0 ? null : cut(now[first] ?? ""),
    lines: counts,
  };
}

function shown(value: unknown, field: string): string | null {
  if (value === undefined) return null;
  return cut(JSON.stringify(isParted(value) ? withoutCredentials(value, field) : value));
}

/** What is inside of a whole that comes or goes is hidden, too. */
function withoutCredentials(value: object, field: string): object | string {
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = field === "" ? key : `${field}.${key}`;
    if (HIDDEN.test(name) && !isSecretName(inner)) return [key, hidden(inner)];
    return [key, isParted(inner) ? withoutCredentials(inner, name) : inner];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function isSecretName(value: unknown): boolean {
  return (
    isParted(value) &&
    Object.keys(value).length === 1 &&
    "secret" in value &&
    typeof value.secret === "string"
  );
}

function hidden(value: unknown): string | object | null {
  if (value === undefined) return null;
  if (!isParted(value) || Array.isArray(value)) return NOT_SHOWN;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretName(inner) ? inner : NOT_SHOWN]),
  );
}

function hiddenText(value: unknown): string | null {
  const shown = isSecretName(value) ? (value as object) : hidden(value);
  return typeof shown === "string" || shown === null ? shown : cut(JSON.stringify(shown));
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : text;
}

/** `"main" -> "release"`, in the words of a list. */
export function changeInWords({ before, after, lines }: FieldChange): string {
  const words = `${before ?? "nothing"} -> ${after ?? "nothing"}`;
  if (!lines) return words;
  return `line ${lines.first}: ${words} (${pluralize(lines.before, "line")} -> ${pluralize(lines.after, "line")})`;
}

type Resource = Record<string, unknown> & DeliveryGrouping;

/** A resource with its keys and durations as its file has them, so that whoever reads of a change finds it there. */
export function writtenForm(body: string): Record<string, unknown> {
  const { keyed, debounce, ...rest } = JSON.parse(body) as Resource;
  return {
    ...rest,
    ...(keyed ? { concurrency: writtenKeyed(keyed) } : {}),
    ...(debounce ? { debounce: writtenDebounce(debounce) } : {}),
  };
}

function writtenKeyed({ forgetAfterMs, ...keyed }: NonNullable<DeliveryGrouping["keyed"]>): object {
  return { ...keyed, forgetAfter: formatDuration(forgetAfterMs) };
}

export function writtenDebounce({ quietMs, longestMs }: Debounce): { quiet: string; longest: string } {
  return { quiet: formatDuration(quietMs), longest: formatDuration(longestMs) };
}

import type { TaskQuery } from "../../api/models.ts";

/** How long a task may have been in its stage before it is shown. */
export const AGES: readonly { value: string; label: string; ms: number }[] = [
  { value: "1h", label: "More than an hour", ms: 3_600_000 },
  { value: "24h", label: "More than a day", ms: 24 * 3_600_000 },
  { value: "7d", label: "More than a week", ms: 7 * 24 * 3_600_000 },
];

/** Which tasks a board shows. */
export interface BoardFilters {
  text: string;
  author: string;
  /** A value of `AGES`. */
  age: string;
  isBlocked: boolean;
}

/** The filters of an address; what it does not know counts as not set. */
export function boardFiltersOf(search: URLSearchParams): BoardFilters {
  const age = search.get("age") ?? "";
  return {
    text: search.get("q") ?? "",
    author: search.get("author") ?? "",
    age: AGES.some(({ value }) => value === age) ? age : "",
    isBlocked: search.get("blocked") === "true",
  };
}

/** Those that the server applies: it has more tasks than are loaded. */
export function taskQueryOf({ text, author }: BoardFilters): TaskQuery {
  return { ...(text === "" ? {} : { q: text }), ...(author === "" ? {} : { created_by: [author] }) };
}

/** An address with another value of a filter; an empty one removes it. */
export function withBoardFilter(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (value === "") next.delete(name);
  else next.set(name, value);
  return next;
}

/** An address without filters. */
export function withoutBoardFilters(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["q", "author", "age", "blocked"]) next.delete(name);
  return next;
}

/** The filters that are set, in words. */
export function filterTexts({ text, author, age, isBlocked }: BoardFilters) {
  return [
    { name: "q", label: "Search", text },
    { name: "author", label: "Author", text: author },
    { name: "age", label: "In this stage", text: AGES.find(({ value }) => value === age)?.label ?? "" },
    { name: "blocked", label: "Only", text: isBlocked ? "blocked" : "" },
  ].filter((filter) => filter.text !== "");
}

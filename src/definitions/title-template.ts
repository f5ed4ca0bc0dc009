/** The longest title, in characters. */
export const MAX_TITLE = 200;

/** A text as it is written, or the path of a payload field whose value stands in its place. */
type TitlePart = string | readonly string[];

/** Makes a title from a payload, in which any field may be missing. */
export type TitleOf = (payload: unknown) => string;

/** Names of payload fields, and indexes of lists, separated by dots. */
const FIELD_PATH = /^[\p{L}\p{N}_$@:-]+(?:\.[\p{L}\p{N}_$@:-]+)*$/u;
/** Longer values are cut before anything else is done with them: a delivery may hold megabytes. */
const MAX_VALUE = 2_000;

/** Where a template is wrong, in words; nothing for one that is right. */
export function titleProblem(template: string): string | undefined {
  const parsed = parseTitle(template);
  return "problem" in parsed ? parsed.problem : undefined;
}

/**
 * Makes titles by a template that {@link titleProblem} has found nothing wrong with. Fields are looked up and nothing is
 * evaluated; one that the payload lacks, or that is no text, number or boolean, is left out.
 */
export function compileTitle(template: string): TitleOf {
  const parsed = parseTitle(template);
  if ("problem" in parsed) return () => "";
  return (payload) =>
    titleText(parsed.parts.map((part) => (typeof part === "string" ? part : valueAt(payload, part))));
}

/** The same, but empty unless the payload has every field that the template names. */
export function compileFullTitle(template: string): TitleOf {
  const parsed = parseTitle(template);
  if ("problem" in parsed) return () => "";
  return (payload) => {
    const values = parsed.parts.map((part) => (typeof part === "string" ? part : valueAt(payload, part)));
    return parsed.parts.some((part, index) => typeof part !== "string" && values[index]?.trim() === "")
      ? ""
      : titleText(values);
  };
}

function parseTitle(template: string): { parts: TitlePart[] } | { problem: string } {
  const parts: TitlePart[] = [];
  let rest = template;
  while (rest !== "") {
    const start = rest.indexOf("{{");
    const text = start < 0 ? rest : rest.slice(0, start);
    if (text.includes("}}")) return { problem: "`}}` closes nothing: put `{{` before the field's path" };
    if (text !== "") parts.push(text);
    if (start < 0) break;
    const end = rest.indexOf("}}", start);
    if (end < 0) return { problem: "`{{` is not closed: put `}}` after the field's path" };
    const path = rest.slice(start + 2, end).trim();
    if (!FIELD_PATH.test(path)) return { problem: unknownSyntax(rest.slice(start, end + 2)) };
    parts.push(path.split("."));
    rest = rest.slice(end + 2);
  }
  return { parts };
}

function unknownSyntax(written: string): string {
  return `"${written.slice(0, 100)}" is not the path of a payload field: expected names separated by dots, and numbers for the entries of lists, for example {{pull_request.labels.0.name}}`;
}

function valueAt(payload: unknown, path: readonly string[]): string {
  let value = payload;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "";
    // A list has a length of its own, which is no entry.
    if (Array.isArray(value) && !/^\d+$/.test(key)) return "";
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value === "string") return value.slice(0, MAX_VALUE);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** One line of visible characters. Direction controls would let a payload disguise what stands beside it. */
function titleText(parts: readonly string[]): string {
  const line = parts
    .join("")
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replace(/\p{Cc}|\p{Cs}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .trim();
  const characters = [...line];
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join("")}…` : line;
}

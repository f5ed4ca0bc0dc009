import { sentNumber } from "../edge/sent-numbers.ts";

/** A text as it is written, or the path of a payload field whose value stands in its place. */
export type TemplatePart = string | readonly string[];

/** Names of payload fields, and indexes of lists, separated by dots. */
const FIELD_PATH = /^[\p{L}\p{N}_$@:-]+(?:\.[\p{L}\p{N}_$@:-]+)*$/u;

/** The parts of a template, or what is wrong with it, in words. */
export function parseTemplate(template: string): { parts: TemplatePart[] } | { problem: string } {
  const parts: TemplatePart[] = [];
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

/** A payload field. It is looked up and nothing is evaluated. */
export function fieldValue(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    // A list has a length of its own, which is no entry.
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The text of a payload field, a number as it was sent. @returns empty for one that the payload lacks, or that is no text, number or boolean */
export function fieldText(payload: unknown, path: readonly string[]): string {
  const value = fieldValue(payload, path);
  if (typeof value === "string") return value;
  if (typeof value === "number") return sentNumber(payload, path, value) ?? String(value);
  return typeof value === "boolean" ? String(value) : "";
}

/** Whether a payload has every field that a template names, by the texts of its parts. */
export function isFull(parts: readonly TemplatePart[], texts: readonly string[]): boolean {
  return parts.every((part, index) => typeof part === "string" || texts[index]?.trim() !== "");
}

/** One line of visible characters. Direction controls would let a payload disguise what stands beside it. */
export function visibleLine(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replace(/\p{Cc}|\p{Cs}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .trim();
}

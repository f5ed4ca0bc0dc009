import { createHash } from "node:crypto";
import { sentNumber } from "../edge/sent-numbers.ts";
import type { EventProviderName } from "./definition.ts";
import { threadOf } from "./events/thread.ts";
import {
  fieldText,
  fieldValue,
  isFull,
  parseTemplate,
  type TemplatePart,
  visibleLine,
} from "./field-template.ts";

/** The longest key, in characters. */
export const MAX_KEY = 200;
/** Stands for the conversation or the thing that the event of a known provider is about. */
export const THREAD = "thread";

/** The key of an event; nothing when its payload lacks a field that the template names. */
export type KeyOf = (payload: unknown) => string | undefined;

/** What is wrong with a template of keys, in words; nothing for one that is right. */
export function keyProblem(template: string): string | undefined {
  const parsed = parseTemplate(template);
  if ("problem" in parsed) return parsed.problem;
  return parsed.parts.some((part) => typeof part !== "string")
    ? undefined
    : `"${template.slice(0, 100)}" names no payload field, so all deliveries would have the same key: expected for example {{pull_request.html_url}} or {{${THREAD}}}`;
}

/** Whether a template uses `{{thread}}`, which only the events of known providers have. */
export function usesThread(template: string): boolean {
  const parsed = parseTemplate(template);
  return "parts" in parsed && parsed.parts.some(isThread);
}

/**
 * Makes keys by a template that {@link keyProblem} has found nothing wrong with. A key that is too long, or that has
 * characters which are not shown, is shortened and told from others by its hash.
 * @param provider whose events the payloads are, where `{{thread}}` is theirs
 */
export function compileKey(template: string, provider: EventProviderName | undefined): KeyOf {
  const parsed = parseTemplate(template);
  if ("problem" in parsed) return () => undefined;
  return (payload) => {
    const values = parsed.parts.map((part) =>
      typeof part === "string" ? part : keyFieldText(part, provider, payload),
    );
    return isFull(parsed.parts, values) ? keyText(values.join("")) : undefined;
  };
}

/** The fields that a template of keys names and a payload lacks, as the template names them. */
export function missingKeyFields(
  template: string,
  provider: EventProviderName | undefined,
  payload: unknown,
): string[] {
  const parsed = parseTemplate(template);
  if ("problem" in parsed) return [];
  return parsed.parts.flatMap((part) =>
    typeof part === "string" || keyFieldText(part, provider, payload).trim() !== ""
      ? []
      : [`{{${part.join(".")}}}`],
  );
}

function keyFieldText(
  part: readonly string[],
  provider: EventProviderName | undefined,
  payload: unknown,
): string {
  return provider !== undefined && isThread(part)
    ? (threadOf(provider, payload) ?? "")
    : exactText(payload, part);
}

const isThread = (part: TemplatePart) => typeof part !== "string" && part.length === 1 && part[0] === THREAD;

/** Empty for a number that has lost digits when it was read, and whose body is not there: others have become the same one. */
function exactText(payload: unknown, path: readonly string[]): string {
  const value = fieldValue(payload, path);
  if (typeof value !== "number") return fieldText(payload, path);
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return sentNumber(payload, path, value) ?? (isRounded || !Number.isFinite(value) ? "" : String(value));
}

/** How a shortened key ends. A value that ends so itself would be taken for one. */
const HASHED = /#[0-9a-f]{64}$/;

/** What is not shown of a text would make two keys look the same, so it counts by the hash. */
function keyText(text: string): string {
  const shown = visibleLine(text.slice(0, 4 * MAX_KEY));
  const characters = [...shown];
  if (shown === text && characters.length <= MAX_KEY && !HASHED.test(text)) return text;
  // As UTF-8, one half of a surrogate pair is like any other.
  const hash = createHash("sha256").update(text, "utf16le").digest("hex");
  return `${characters.slice(0, MAX_KEY - hash.length - 1).join("")}#${hash}`;
}

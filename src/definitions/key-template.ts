import { createHash } from "node:crypto";
import { sentNumber } from "../edge/sent-numbers.ts";
import type { EventProviderName } from "./definition.ts";
import {
  fieldText,
  fieldValue,
  isFull,
  parseTemplate,
  type TemplatePart,
  visibleLine,
} from "./field-template.ts";
import { at, type Payload } from "./filters/payload-field.ts";

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

/**
 * The conversation or the thing that an event of a provider is about, as `{{thread}}` stands for it in a key. It names the
 * provider: a repository and its mirror elsewhere can have the same path.
 * @returns nothing for an event that is about none
 */
export function threadOf(provider: EventProviderName, payload: Payload): string | undefined {
  const thread = THREADS[provider](payload);
  return thread === undefined ? undefined : `${provider}:${thread}`;
}

const THREADS: Readonly<Record<EventProviderName, (payload: Payload) => string | undefined>> = {
  slack: slackThread,
  linear: linearIssue,
  gitlab: gitlabThing,
  github: githubThing,
  jira: (payload) => text(payload, "issue", "key"),
};

/** A message that nobody has replied to yet is the beginning of its thread: https://docs.slack.dev/messaging/#threading */
function slackThread(payload: Payload): string | undefined {
  const channel = text(payload, "event", "channel") ?? text(payload, "event", "item", "channel");
  const start =
    text(payload, "event", "thread_ts") ??
    text(payload, "event", "ts") ??
    text(payload, "event", "item", "ts");
  return joined("/", channel, start);
}

/** https://linear.app/developers/webhooks */
function linearIssue(payload: Payload): string | undefined {
  return (
    text(payload, "agentSession", "issueId") ??
    text(payload, "agentSession", "issue", "id") ??
    text(payload, "data", "issueId") ??
    text(payload, "data", "issue", "id") ??
    (at(payload, "type") === "Issue" ? text(payload, "data", "id") : undefined)
  );
}

/** Notes name what they are about; a pipeline may belong to a merge request. */
function gitlabThing(payload: Payload): string | undefined {
  const project = text(payload, "project", "path_with_namespace");
  const kind = at(payload, "object_kind");
  if (kind === "issue" || kind === "work_item")
    return joined("#", project, text(payload, "object_attributes", "iid"));
  const request =
    kind === "merge_request"
      ? text(payload, "object_attributes", "iid")
      : text(payload, "merge_request", "iid");
  return joined("!", project, request) ?? joined("#", project, text(payload, "issue", "iid"));
}

/** Issues and pull requests share their numbers; checks and workflows name the pull requests of their commit. */
function githubThing(payload: Payload): string | undefined {
  const repository = text(payload, "repository", "full_name");
  const number =
    text(payload, "pull_request", "number") ??
    text(payload, "issue", "number") ??
    ["check_run", "check_suite", "workflow_run"]
      .map((kind) => text(payload, kind, "pull_requests", "0", "number"))
      .find((found) => found !== undefined) ??
    text(payload, "discussion", "number");
  return joined("#", repository, number);
}

function joined(by: string, ...parts: (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join(by) : undefined;
}

function text(payload: Payload, ...path: string[]): string | undefined {
  const value = at(payload, ...path);
  if (typeof value === "number") return sentNumber(payload, path, value) ?? String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

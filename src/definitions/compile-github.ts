import type { Clause } from "./compile-filter.ts";
import type { ProviderTrigger } from "./definition.ts";
import {
  describeGithub,
  GITHUB_EVENTS,
  type GithubEvent,
  type GithubField,
  tellsOf,
} from "./github-events.ts";
import type { WrittenMatcher } from "./written.ts";

/** A delivery of a webhook of the scheme github. */
export interface GithubDelivery {
  /** What `X-GitHub-Event` says. */
  event: string | null;
  payload: unknown;
}

/** A trigger of the provider github, ready to be asked. */
export interface CompiledGithub {
  /** Never throws. */
  matches(delivery: GithubDelivery): boolean;
  /** Every condition with its outcome; of another event, only that. */
  explain(delivery: GithubDelivery): Clause[];
}

/** Names that authors may write in the place of a key. */
const ALIASES: Readonly<Record<string, string>> = { baseBranches: "base_branches", prNumbers: "pr_numbers" };

/** The keys of a filter that no payload of its event answers, as written. They match nothing. */
export function unansweredKeys(event: string, filter: Record<string, unknown>): string[] {
  return Object.keys(filter).filter(
    (key) => hasConstraint(filter[key]) && !GITHUB_EVENTS[event]?.fields[ALIASES[key] ?? key],
  );
}

/** Turns a trigger into functions, once, so that a delivery pays only for the comparison. */
export function compileGithub({ event: name, filter }: ProviderTrigger): CompiledGithub {
  const event = GITHUB_EVENTS[name];
  if (!event) return { matches: () => false, explain: () => [] };
  const conditions = Object.entries(filter)
    .filter(([, matcher]) => hasConstraint(matcher))
    .map(([key, matcher]) => compileKey(key, matcher as WrittenMatcher, event.fields[ALIASES[key] ?? key]));
  const happened = ({ event: header, payload }: GithubDelivery) =>
    tellsOf(event, header, payload) && (event.when?.(payload) ?? true);
  return {
    matches: (delivery) => happened(delivery) && conditions.every(({ holds }) => holds(delivery.payload)),
    explain: (delivery) => {
      const passed = happened(delivery);
      const found = describeGithub(delivery.event, delivery.payload);
      const told = {
        field: "X-GitHub-Event",
        passed,
        expected: `${name} (${describeSources(event)})`,
        found,
      };
      return [told, ...(passed ? conditions.map(({ explain }) => explain(delivery.payload)) : [])];
    },
  };
}

function describeSources({ from }: GithubEvent): string {
  return from.map(({ header, action }) => (action ? `${header} ${action}` : header)).join(" or ");
}

/** `null`, `{}` and empty lists ask for nothing. */
function hasConstraint(matcher: unknown): boolean {
  const { included, excluded } = listsOf(matcher as WrittenMatcher);
  return included.length > 0 || excluded.length > 0;
}

function listsOf(matcher: WrittenMatcher | undefined): { included: unknown[]; excluded: unknown[] } {
  if (Array.isArray(matcher)) return { included: matcher, excluded: [] };
  return { included: matcher?.in ?? [], excluded: matcher?.not_in ?? [] };
}

/** One condition of a filter. */
interface Condition {
  holds(payload: unknown): boolean;
  explain(payload: unknown): Clause;
}

/** What a payload does not say fits no condition, not even one that only excludes: nobody can tell. */
function compileKey(key: string, matcher: WrittenMatcher, field: GithubField | undefined): Condition {
  const { included, excluded } = listsOf(matcher);
  const isIncluded = compileList(included, field?.compare);
  const isExcluded = compileList(excluded, field?.compare);
  const fits = (values: readonly (string | number)[]) =>
    (included.length === 0 || values.some(isIncluded)) && !values.some(isExcluded);
  return {
    holds(payload) {
      const values = field?.read(payload);
      return values !== undefined && fits(values);
    },
    explain(payload) {
      const values = field?.read(payload);
      const expected = [
        ...(included.length > 0 ? [`one of ${list(included)}`] : []),
        ...(excluded.length > 0 ? [`none of ${list(excluded)}`] : []),
      ].join(" and ");
      if (!values) return { field: key, passed: false, expected, found: "nothing: GitHub does not say" };
      return {
        field: key,
        passed: fits(values),
        expected,
        found: values.length === 0 ? "nothing" : list(values),
      };
    },
  };
}

/** Bytes that git and file systems allow a path; a pattern is not held against more. */
const LONGEST_PATH = 4_096;

type Holds = (value: string | number) => boolean;

function compileList(wanted: readonly unknown[], compare: GithubField["compare"] = "exact"): Holds {
  if (compare === "pattern") {
    const patterns = wanted.map((text) => patternOf(String(text)));
    return (value) =>
      String(value).length <= LONGEST_PATH && patterns.some((pattern) => pattern.test(String(value)));
  }
  if (compare === "exact") {
    const values = new Set(wanted);
    return (value) => values.has(value);
  }
  const names = new Set(wanted.map((text) => String(text).toLowerCase()));
  return (value) => names.has(String(value).toLowerCase());
}

/** `*` stands for anything but `/`, `**` for anything; a text that names a folder fits all that is below it. */
function patternOf(text: string): RegExp {
  const parts = text.replace(/\/$/, "").split(/(\*\*\/?|\*)/);
  const source = parts.map((part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}(?:/.*)?$`, "s");
}

const LONGEST_SHOWN = 10;

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LONGEST_SHOWN).map((value) => JSON.stringify(value));
  return values.length > LONGEST_SHOWN ? `${shown.join(", ")}, …` : shown.join(", ");
}

import type { Clause } from "./compile-filter.ts";
import type { ProviderTrigger } from "./definition.ts";
import {
  describeGithub,
  GITHUB_EVENTS,
  type GithubEvent,
  type GithubField,
  tellsOf,
} from "./github-events.ts";
import { compileList, listsOf } from "./github-list.ts";
import type { OnSteps } from "./glob.ts";
import type { WrittenMatcher } from "./written.ts";

/** A delivery of a webhook of the scheme github. */
export interface GithubDelivery {
  /** What `X-GitHub-Event` says. */
  event: string | null;
  payload: unknown;
}

/** A trigger of the provider github, ready to be asked. */
export interface CompiledGithub {
  /** Never throws but what `onSteps` throws. */
  matches(delivery: GithubDelivery, onSteps?: OnSteps): boolean;
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
    matches: (delivery, onSteps) =>
      happened(delivery) && conditions.every(({ holds }) => holds(delivery.payload, onSteps)),
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

/** One condition of a filter. */
interface Condition {
  holds(payload: unknown, onSteps?: OnSteps): boolean;
  explain(payload: unknown): Clause;
}

/** What a payload does not say fits no condition, not even one that only excludes: nobody can tell. */
function compileKey(key: string, matcher: WrittenMatcher, field: GithubField | undefined): Condition {
  const { included, excluded } = listsOf(matcher);
  const isAnyIncluded = compileList(included, field?.compare);
  const isAnyExcluded = compileList(excluded, field?.compare);
  const fits = (values: readonly (string | number)[], onSteps?: OnSteps) =>
    (included.length === 0 || isAnyIncluded(values, onSteps)) && !isAnyExcluded(values, onSteps);
  return {
    holds(payload, onSteps) {
      const values = field?.read(payload);
      return values !== undefined && fits(values, onSteps);
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

const LONGEST_SHOWN = 10;

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LONGEST_SHOWN).map((value) => JSON.stringify(value));
  return values.length > LONGEST_SHOWN ? `${shown.join(", ")}, …` : shown.join(", ");
}

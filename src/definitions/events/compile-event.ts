import { sentNumber } from "../../edge/sent-numbers.ts";
import {
  type Automation,
  MATCHING,
  type ProviderTrigger,
  type RepositoryReference,
  type Trigger,
} from "../definition.ts";
import type { Clause } from "../filters/compile-filter.ts";
import type { OnSteps } from "../filters/glob.ts";
import { compileList, hasConstraint, listsOf } from "../filters/matcher-list.ts";
import { one, type PayloadField } from "../filters/payload-field.ts";
import type { WrittenMatcher } from "../written.ts";
import { describedProvider, findEvent } from "./event-provider.ts";
import { ANSWER_FILTER } from "./factory-events.ts";
import type { ProviderDelivery } from "./provider-event.ts";

/** A trigger of a provider, ready to be asked. */
export interface CompiledEvent {
  /** Never throws but what `onSteps` throws. */
  matches(delivery: ProviderDelivery, onSteps?: OnSteps): boolean;
  /** Every condition with its outcome; of another event, only that. */
  explain(delivery: ProviderDelivery): Clause[];
}

/** Names that authors may write in the place of a key. */
const ALIASES: Readonly<Record<string, string>> = {
  baseBranches: "base_branches",
  prNumbers: "pr_numbers",
  teams: "team_ids",
  projects: "project_ids",
  states: "state_ids",
  issues: "issue_ids",
  channels: "channel_ids",
  users: "user_ids",
  itemUsers: "item_user_ids",
};

/** What one provider has an alias for may be a key of another one. */
function canonicalKey(key: string, fields: Readonly<Record<string, PayloadField>>): string {
  return fields[key] ? key : (ALIASES[key] ?? key);
}

/** The keys of a filter that no payload of its event answers, as written. They match nothing. */
export function unansweredKeys(provider: string, event: string, filter: Record<string, unknown>): string[] {
  const fields = findEvent(provider, event)?.fields;
  return Object.keys(listedIn(filter)).filter(
    (key) => hasConstraint(filter[key]) && fields && !fields[canonicalKey(key, fields)],
  );
}

/** The keys of a filter with lists: the answer of a run is asked for when the rest matches (see triggered-run.ts). */
function listedIn({ [ANSWER_FILTER]: _, ...lists }: Record<string, unknown>): Record<string, unknown> {
  return lists;
}

/** The values of a filter that no payload of its event has, with what it has, as a person reads it. */
export function impossibleValues(
  provider: string,
  event: string,
  filter: Record<string, unknown>,
): { key: string; value: string; has: string; excluded: boolean }[] {
  const fields = findEvent(provider, event)?.fields ?? {};
  return Object.entries(listedIn(filter)).flatMap(([key, matcher]) => {
    const field = fields[canonicalKey(key, fields)];
    const { included, excluded } = listsOf(matcher as WrittenMatcher);
    return [...included, ...excluded].flatMap((written, index) => {
      const value = String(written);
      const has = field?.never?.(value);
      return has ? [{ key, value, has, excluded: index >= included.length }] : [];
    });
  });
}

/**
 * Turns a trigger into functions, once, so that a delivery pays only for the comparison.
 * @param readsAsBefore whether its filter is read as earlier versions did
 */
export function compileEvent(
  { provider, event: name, filter, repositories }: ProviderTrigger,
  { readsAsBefore = false } = {},
): CompiledEvent {
  const event = findEvent(provider, name);
  const described = describedProvider(provider);
  if (!event || !described) return { matches: () => false, explain: () => [] };
  const { title, saidAt, describe } = described;
  const fieldOf = (key: string): PayloadField | undefined => {
    const canonical = canonicalKey(key, event.fields);
    const field = event.fields[canonical];
    return field && readsAsBefore ? formerField(name, canonical, field) : field;
  };
  const conditions = Object.entries(listedIn(filter))
    .filter(([, matcher]) => hasConstraint(matcher))
    .map(([key, matcher]) => compileKey(key, matcher as WrittenMatcher, fieldOf(key), title));
  if (repositories) {
    conditions.unshift(compileKey("repositories of factory.yaml", repositories, event.fields.repos, title));
  }
  return {
    matches: (delivery, onSteps) =>
      event.happened(delivery) && conditions.every(({ holds }) => holds(delivery, onSteps)),
    explain: (delivery) => {
      const passed = event.happened(delivery);
      const expected = `${name} (${event.means})`;
      const told = { field: saidAt, passed, expected, found: describe(delivery) };
      return [told, ...(passed ? conditions.map(({ explain }) => explain(delivery)) : [])];
    },
  };
}

/** One condition of a filter. */
interface Condition {
  holds(delivery: ProviderDelivery, onSteps?: OnSteps): boolean;
  explain(delivery: ProviderDelivery): Clause;
}

/** What a payload does not say fits no condition, not even one that only excludes: nobody can tell. */
function compileKey(
  key: string,
  matcher: WrittenMatcher,
  field: PayloadField | undefined,
  title: string,
): Condition {
  const { included, excluded } = listsOf(matcher);
  const isAnyIncluded = compileList(included, field?.compare);
  const isAnyExcluded = compileList(excluded, field?.compare);
  const fits = (values: readonly (string | number)[], onSteps?: OnSteps) =>
    (included.length === 0 || isAnyIncluded(values, onSteps)) && !isAnyExcluded(values, onSteps);
  return {
    holds(delivery, onSteps) {
      const values = field?.read(delivery.payload, delivery);
      return values !== undefined && fits(values, onSteps);
    },
    explain(delivery) {
      const { payload } = delivery;
      const values = field?.read(payload, delivery);
      const expected = [
        ...(included.length > 0 ? [`one of ${list(included)}`] : []),
        ...(excluded.length > 0 ? [`none of ${list(excluded)}`] : []),
      ].join(" and ");
      if (!values) {
        const why = field?.unsaid?.(payload) ?? `${title} does not send it`;
        return { field: key, passed: false, expected, found: `nothing: ${why}` };
      }
      return {
        field: key,
        passed: fits(values),
        expected,
        found:
          values.length === 0 ? "nothing" : (sentDigits(payload, values, field?.numberAt) ?? list(values)),
      };
    },
  };
}

/** Of a field that reads one number, its digits as they were sent. */
function sentDigits(
  payload: unknown,
  [value]: readonly unknown[],
  path: readonly string[] | undefined,
): string | undefined {
  return path && typeof value === "number" ? sentNumber(payload, path, value) : undefined;
}

const MAX_SHOWN = 10;

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_SHOWN).map((value) => JSON.stringify(value));
  return values.length > MAX_SHOWN ? `${shown.join(", ")}, …` : shown.join(", ");
}

/** Whether a trigger was applied by a version that counted deliveries which count no more. */
export function isFormer({ provider, matching }: Pick<ProviderTrigger, "provider" | "matching">): boolean {
  return provider === "github" && matching === undefined;
}

/** A field as those versions read it: a branch stood for what lies below it, and a workflow run's author was its actor. */
function formerField(event: string, key: string, field: PayloadField): PayloadField {
  if (field.compare === "branch") return { ...field, compare: "path" };
  const isActor = event === "workflow_run_completed" && key === "authors";
  return isActor ? { ...field, read: one("workflow_run", "actor", "login") } : field;
}

/** An automation with its triggers as this version reads them. */
export function asReadNow(automation: Automation, repositories: readonly RepositoryReference[]): Automation {
  const limits = repositories.map(({ owner, name }) => `${owner}/${name}`);
  const triggers = automation.triggers.map((trigger): Trigger => {
    if (trigger.provider !== "github" || !isFormer(trigger)) return trigger;
    const isLimited = limits.length > 0 && !hasConstraint(trigger.filter.repos);
    return { ...trigger, matching: MATCHING, ...(isLimited ? { repositories: limits } : {}) };
  });
  return { ...automation, triggers };
}

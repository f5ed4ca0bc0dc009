import { DEFAULT_AGENT, type ProviderTrigger } from "../definition.ts";
import { compileEvent, impossibleValues, unansweredKeys } from "../events/compile-event.ts";
import { describedProvider, EVENT_PROVIDERS, findEvent, isEventProvider } from "../events/event-provider.ts";
import { ANSWER_FILTER, TASK_STAGES } from "../events/factory-events.ts";
import { listsOf } from "../filters/matcher-list.ts";
import { writtenProviderOf } from "../listening.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, namesOf, problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import type { WrittenAutomation, WrittenMatcher, WrittenTrigger } from "../written.ts";
import { isForeman } from "./agent-rules.ts";

/** A filter that asks for what its provider does not say starts nothing, which its author should know before. */
export const filtersAskForWhatProvidersSay: FileRule<WrittenAutomation> = (automation) =>
  automation.data.triggers.flatMap(({ provider, event, filter }, index): Problem[] => {
    const title = describedProvider(provider)?.title ?? provider;
    const warn = (path: DataPath, message: string) =>
      problemAt(
        automation,
        ["triggers", index, "filter", ...path],
        "FF_FILTER_NEVER_MATCHES",
        message,
        "warning",
      );
    const keys = unansweredKeys(provider, event, filter ?? {}).map((key) =>
      warn(
        [key],
        `${key}: ${title}'s deliveries of ${event} do not contain it, so this trigger never fires; remove it`,
      ),
    );
    const values = impossibleValues(provider, event, filter ?? {}).map(({ key, value, has, excluded }) => {
      const effect = excluded ? "excludes nothing" : "never matches";
      return warn([key], `${key}: ${JSON.stringify(value)} ${effect}, because ${title} sends ${has}`);
    });
    const payload = provider === "webhook" ? filter?.payload : undefined;
    const dotted = dottedKeys(payload).map((path) => {
      const nested = path.at(-1)?.split(".").join(": { ") ?? "";
      const message = `payload field "${path.at(-1)}" is a single key that contains a dot; did you mean nested keys, ${nested}: …${" }".repeat(nested.split("{").length - 1)}?`;
      return warn(["payload", ...path], message);
    });
    return [...keys, ...values, ...dotted];
  });

/** Keys of a payload filter that read like the path of a field. A filter mirrors the payload, so each is one key of it. */
function dottedKeys(pattern: unknown, above: readonly string[] = []): string[][] {
  // What is nested more deeply is refused.
  if (typeof pattern !== "object" || pattern === null || Array.isArray(pattern) || above.length > 20)
    return [];
  return Object.entries(pattern).flatMap(([key, inner]) => {
    const path = [...above, key];
    return [...(/^[\w$-]+(?:\.[\w$-]+)+$/.test(key) ? [path] : []), ...dottedKeys(inner, path)];
  });
}

interface Unfed {
  automation: WrittenFile<WrittenAutomation>;
  at: DataPath;
  count: number;
}

/** Events of a provider come in by a webhook of the factory, and by nothing else. One warning for each kind of trigger. */
export const triggersAreFed: TreeRule = (tree) => {
  const fed = new Set<string | undefined>(
    tree.webhooks.filter(({ data }) => data.enabled !== false).map(({ data }) => writtenProviderOf(data)),
  );
  const unfed = new Map<string, Unfed>();
  for (const automation of tree.automations) {
    for (const [index, { provider, event }] of automation.data.triggers.entries()) {
      const why = whyUnfed(provider, event, fed);
      if (why === undefined) continue;
      const known = unfed.get(why) ?? { automation, at: ["triggers", index, "provider"], count: 0 };
      unfed.set(why, { ...known, count: known.count + 1 });
    }
  }
  return [...unfed].map(([why, { automation, at, count }]) => {
    const places = count > 1 ? ` (${count} places)` : "";
    return problemAt(automation, at, "FF_TRIGGER_NOT_FED", `${why}${places}`, "warning");
  });
};

/** Why a trigger does not fire, in words; nothing for one that may. */
function whyUnfed(provider: string, event: string, fed: ReadonlySet<string | undefined>): string | undefined {
  if (provider === "webhook" || provider === "schedule" || provider === "factory") return undefined;
  if (!isEventProvider(provider)) {
    return `a trigger of the provider ${provider}: never fires, because this server cannot receive its events`;
  }
  if (!findEvent(provider, event)) {
    return `a trigger of ${provider}.${event}: never fires, because webhooks of ${EVENT_PROVIDERS[provider].title} do not send this event`;
  }
  if (fed.has(provider)) return undefined;
  const kind =
    provider === "jira"
      ? "with signatureScheme: custom and millrace: { provider: jira }"
      : `with the scheme ${provider}`;
  return `a trigger of the provider ${provider}: never fires without an enabled webhook ${kind} in webhooks/`;
}

/** Names in the filters of the factory's own events stand for agents, automations and stages. */
export const factoryEventsNameWhatIsThere: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  if (agents.size === 0) agents.add(DEFAULT_AGENT);
  const automations = namesOf(tree, "automation");
  const stages = new Set<string>(TASK_STAGES);
  return eachTrigger(tree.automations, (automation, trigger, at) =>
    namesIn(trigger, at).flatMap(({ key, value, at: place }): Problem[] => {
      const name = String(value);
      if (key === "stages" && !stages.has(name.toUpperCase())) {
        const message = `stages: there is no stage "${name}": expected one of ${TASK_STAGES.join(", ")}`;
        return [problemAt(automation, place, "FF_FILTER_NEVER_MATCHES", message, "warning")];
      }
      if (key === "agents" && !agents.has(name)) {
        const message = `agents: there is no agent "${name}": expected a folder with that name in agents/`;
        return [problemAt(automation, place, "FF_INVALID_REFERENCE", message)];
      }
      if (key === "automations" && !automations.has(name)) {
        const message = `automations: there is no automation "${name}": expected a folder with that name in automations/`;
        return [problemAt(automation, place, "FF_INVALID_REFERENCE", message)];
      }
      return [];
    }),
  );
};

/** Runs that may fail for a while; one that starts itself after these goes on only as long as it fails. */
const FAILED_STATES = ["FAILED", "ERROR", "CANCELLED"];

/** An automation whose own runs fire its trigger would go on for ever, which the server ends after a few runs. */
export const automationsDoNotStartThemselves: TreeRule = (tree) => {
  const foreman = tree.agents.find(isForeman)?.name ?? DEFAULT_AGENT;
  return eachTrigger(tree.automations, (automation, trigger, at) => {
    const { provider, event } = trigger;
    const filter = trigger.filter ?? {};
    const written: ProviderTrigger = { provider: "factory", event, filter };
    const compiled = compileEvent(written);
    const run = { agent: automation.data.agent ?? foreman, automation: automation.name };
    const fires = (state: string) => compiled.matches({ event, payload: { run: { ...run, state } } });
    const problem = (what: string, severity: "error" | "warning") => {
      const message =
        `${provider}.${event}: ${what} of this automation fires the trigger again: ` +
        `exclude the automation with filter: {automations: {not_in: [${automation.name}]}}`;
      return [problemAt(automation, at, "FF_TRIGGER_LOOP", message, severity)];
    };
    if (automation.data.enabled === false) return [];
    if (event === "run_blocked") return fires("BLOCKED") ? problem("a question of a run", "error") : [];
    if (event !== "run_ended") return [];
    if (filter[ANSWER_FILTER] != null) {
      // Whether a run fires it is up to its answer, which is a text where there is no schema.
      const mayFire = automation.data.millrace?.output !== undefined && fires("SUCCEEDED");
      return mayFire ? problem("a run with such an answer", "warning") : [];
    }
    if (fires("SUCCEEDED")) return problem("every run", "error");
    return FAILED_STATES.some(fires) ? problem("a run that fails", "warning") : [];
  });
};

/** The triggers of the factory's own events, with their places. */
function eachTrigger(
  automations: readonly WrittenFile<WrittenAutomation>[],
  check: (
    automation: WrittenFile<WrittenAutomation>,
    trigger: WrittenTrigger,
    at: (string | number)[],
  ) => Problem[],
): Problem[] {
  return automations.flatMap((automation) =>
    automation.data.triggers.flatMap((trigger, index) =>
      trigger.provider === "factory" ? check(automation, trigger, ["triggers", index]) : [],
    ),
  );
}

/** Every name in a filter, and where it stands. */
function namesIn({ filter }: WrittenTrigger, at: (string | number)[]) {
  return Object.entries(filter ?? {}).flatMap(([key, matcher]) => {
    if (key === ANSWER_FILTER) return [];
    const place = [...at, "filter", key];
    const { included, excluded } = listsOf(matcher as WrittenMatcher);
    const listed = (values: readonly unknown[], list: DataPath) =>
      values.map((value, index) => ({ key, value, at: [...list, index] }));
    return [
      ...listed(included, Array.isArray(matcher) ? place : [...place, "in"]),
      ...listed(excluded, [...place, "not_in"]),
    ];
  });
}
